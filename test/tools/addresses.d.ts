export declare function filesWithAddresses(manifest: object): Record<string, string>;
export declare function placeholdersIn(manifest: object): string[];
