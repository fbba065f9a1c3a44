/** Adds the operator's fields to a request. A field that is `null` is left out, for services that reject it. */
export function mergeBody<Body extends object>(body: Body, extra: Readonly<Record<string, unknown>>): Body {
  const merged = { ...body, ...extra };
  // the operator is responsible for fields that the type does not have
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as Body;
}
