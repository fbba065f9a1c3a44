export declare function stagePackages(
  folder: string,
  scope?: string,
): Promise<readonly { readonly name: string; readonly folder: string }[]>;
export declare function importsOf(folder: string, ...endings: string[]): string[];
