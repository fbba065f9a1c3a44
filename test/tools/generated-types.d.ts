export declare function generatedTypes(reference: object): Readonly<Record<string, string>>;
