export declare function stagePackages(
  folder: string,
): Promise<readonly { readonly name: string; readonly folder: string }[]>;
export declare function importsOf(folder: string): string[];
