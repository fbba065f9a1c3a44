export declare function conformanceReport(): string;
