// Node's module hooks for `compile-sources.js`: an import of `src/a.ts` loads `<compiled>/src/a.js`.
let root = '';
let compiled = '';

export function initialize(data) {
  ({ root, compiled } = data);
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, { ...context, parentURL: sourceOf(context.parentURL) });
  const [, path] = resolved.url.startsWith(root)
    ? (/^((?:src|demo)\/.*)\.tsx?$/.exec(resolved.url.slice(root.length)) ?? [])
    : [];
  return path ? { ...resolved, url: `${compiled}${path}.js`, format: 'module' } : resolved;
}

/** The source of a compiled file: its imports are relative to that. */
function sourceOf(url) {
  return url?.startsWith(compiled) ? `${root}${url.slice(compiled.length, -'.js'.length)}.ts` : url;
}
