export declare function frameworkTypes(reference: object): Readonly<Record<string, string>>;
