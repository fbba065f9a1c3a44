import { isObject } from '../../protocol/json.ts';
import { safeMediaUrl } from '../platform/url-policy.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import type { HostOptions } from './host-options.ts';

/** An element with host options. */
interface Host extends EventTarget {
  option<Name extends keyof HostOptions>(name: Name): HostOptions[Name];
}

/**
 * How a value is documented: a check; for an object the shapes of its fields (`*`: of every one; others are as they
 * are); for a list the shape of its entries and the fields that each must have.
 */
type Shape = Check | readonly [Shape, ...string[]] | { readonly [field: string]: Shape };
interface Check {
  (value: unknown): boolean;
  /** What is allowed, for the diagnostic, which then names the value too. */
  readonly allowed?: string;
}

const read = new WeakMap<Host, Partial<Record<keyof HostOptions, { raw: unknown; value: unknown }>>>();

/**
 * Reads a host's option in its documented shape. Entries and fields of another shape are left out; a value that is of
 * another shape altogether is ignored, so that the former one stays. One diagnostic names both. The same value gives the
 * same result.
 */
export function readOption<Name extends keyof HostOptions>(host: Host, name: Name): HostOptions[Name] {
  const options = read.get(host) ?? {};
  read.set(host, options);
  const raw: unknown = host.option(name) ?? undefined;
  const before = options[name];
  if (!before || before.raw !== raw) {
    const wrong: string[] = [];
    const value = raw === undefined ? raw : rightOf(shapes[name] ?? isObject, raw, name, wrong);
    options[name] = { raw, value: wrong[0] === name ? before?.value : value };
    if (wrong.length > 0) {
      diagnose(host, 'invalid-option', `Left out, not of the documented shape: ${wrong.join(', ')}.`);
    }
  }
  return options[name]?.value as HostOptions[Name]; // its shape was checked
}

/** What of a value is of a shape; `undefined` when it is of another altogether. What is left out is named in `wrong`. */
function rightOf(shape: Shape, value: unknown, path: string, wrong: string[]): unknown {
  if (typeof shape === 'function') {
    if (shape(value)) return value;
    if (shape.allowed) {
      wrong.push(`${path} ${(JSON.stringify(value) ?? '').slice(0, 100)} (allowed: ${shape.allowed})`);
      return undefined;
    }
  } else if (isList(shape)) {
    const [entryShape, ...needed] = shape;
    if (Array.isArray(value)) {
      return value.flatMap((entry: unknown, at) => {
        const place = `${path}[${at}]`;
        const right = rightOf(entryShape, entry, place, wrong);
        if (isObject(right) && needed.some((name) => right[name] === undefined)) wrong.push(place);
        else if (right !== undefined) return [right];
        return [];
      });
    }
  } else if (isObject(value)) {
    const right: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const fieldShape = shape[name] ?? shape['*'];
      // in JSON, null takes a field back
      if (field === null) continue;
      right[name] = fieldShape ? rightOf(fieldShape, field, `${path}.${name}`, wrong) : field;
    }
    return right;
  }
  wrong.push(path);
  return undefined;
}

function isList(shape: Shape): shape is readonly [Shape, ...string[]] {
  return Array.isArray(shape);
}

const text: Check = (value) => typeof value === 'string';
const callable: Check = (value) => typeof value === 'function';
const origin = Object.assign(isOrigin, { allowed: 'origins such as "https://cdn.example.com"' });
const imageOrigin = Object.assign((value: unknown) => value === 'data:' || isOrigin(value), {
  allowed: `${origin.allowed}, and "data:"`,
});
const noField = Object.assign(() => false, { allowed: 'images, media and frames' });

/** An http(s) address that names one host; a path after it does no harm. */
function isOrigin(value: unknown): boolean {
  const url = safeMediaUrl(value);
  return url !== undefined && url.protocol !== 'data:' && !url.hostname.includes('*');
}

/** Of the options that are more than an object with fields. */
const shapes: Readonly<Partial<Record<keyof HostOptions, Shape>>> = {
  tokenProvider: callable,
  header: { avatar: text, subtitle: text, disclaimer: text },
  starters: [{ title: text, description: text, prompt: text }, 'title'],
  mentionables: [{ id: text, name: text, type: text, description: text }, 'id', 'name'],
  uploadDocument: callable,
  feedbackReasons: [text],
  allowedOrigins: { images: [imageOrigin], media: [origin], frames: [origin], '*': noField },
  renderers: { '*': callable },
  strings: { '*': (value) => text(isObject(value) ? value['other'] : value) },
  fetch: callable,
};
