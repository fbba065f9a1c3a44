export declare function readReference(): Promise<object>;
