export const peers: Readonly<Record<string, { readonly packages: readonly string[] }>>;
