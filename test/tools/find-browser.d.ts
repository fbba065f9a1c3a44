export const browserArguments: string[];
export function findBrowser(options?: { readonly isWhole?: boolean }): Promise<string>;
