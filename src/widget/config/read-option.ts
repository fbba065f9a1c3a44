import { isObject } from '../../protocol/json.ts';
import { safeMediaUrl } from '../platform/url-policy.ts';
import { parseSetting } from './config-table.ts';
import { diagnose } from '../events/report-diagnostic.ts';
import type { HostOptions } from './host-options.ts';

/** An element with host options. */
interface Host extends EventTarget {
  option<Name extends keyof HostOptions>(name: Name): HostOptions[Name];
}

/**
 * The documented shape of a value: a check; for an object, the shapes of its fields (`*` for all of them; unlisted
 * fields pass); for a list, the shape of its entries and their required fields.
 */
type Shape = Check | readonly [Shape, ...string[]] | { readonly [field: string]: Shape };
type Check = (value: unknown) => boolean;

/** What was read of each host last. */
const lastRead = new WeakMap<Host, Partial<Record<keyof HostOptions, { raw: unknown; value: unknown }>>>();

/**
 * Reads a host option and validates its shape. Invalid entries and fields are left out; a value of a wrong type is
 * ignored, so that the previous one stays. One diagnostic lists everything that was left out; on developers' pages,
 * `checkOptions` says what is allowed. The same value returns the same result.
 */
export function readOption<Name extends keyof HostOptions>(host: Host, name: Name): HostOptions[Name] {
  const options = lastRead.get(host) ?? {};
  lastRead.set(host, options);
  const raw: unknown = host.option(name) ?? undefined;
  const previous = options[name];
  if (!previous || previous.raw !== raw) {
    const invalid: string[] = [];
    const value = raw === undefined ? raw : validPart(shapes[name] ?? isObject, raw, name, invalid);
    options[name] = { raw, value: invalid[0] === name ? previous?.value : value };
    if (invalid.length > 0) {
      diagnose(host, 'invalid-option', `Ignored because of their type or value: ${invalid.join(', ')}.`);
    }
  }
  return options[name]?.value as HostOptions[Name]; // validated against its shape
}

/**
 * Returns the valid part of a value; `undefined` if its type is wrong.
 * @param invalid receives the paths of what is left out
 */
function validPart(shape: Shape, value: unknown, path: string, invalid: string[]): unknown {
  if (typeof shape === 'function') {
    if (shape(value)) return value;
  } else if (isList(shape)) {
    const [entryShape, ...requiredFields] = shape;
    if (Array.isArray(value)) {
      return value.flatMap((entry: unknown, index) => {
        const entryPath = `${path}[${index}]`;
        const valid = validPart(entryShape, entry, entryPath, invalid);
        if (isObject(valid) && requiredFields.some((field) => valid[field] === undefined))
          invalid.push(entryPath);
        else if (valid !== undefined) return [valid];
        return [];
      });
    }
  } else if (isObject(value)) {
    const validFields: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const fieldShape = shape[name] ?? shape['*'];
      if (field === null) continue; // in JSON, null removes a field
      validFields[name] = fieldShape ? validPart(fieldShape, field, `${path}.${name}`, invalid) : field;
    }
    return validFields;
  }
  invalid.push(path);
  return undefined;
}

function isList(shape: Shape): shape is readonly [Shape, ...string[]] {
  return Array.isArray(shape);
}

const text: Check = (value) => typeof value === 'string';
const uuid: Check = (value) => parseSetting('threadId', value) !== undefined;
const callable: Check = (value) => typeof value === 'function';
const imageOrigin: Check = (value) => value === 'data:' || isOrigin(value);

/** True for an http(s) URL of a single host; a path is ignored. */
function isOrigin(value: unknown): boolean {
  const url = safeMediaUrl(value);
  return url !== undefined && url.protocol !== 'data:' && !url.hostname.includes('*');
}

/** Shapes of the options that are more than an object with any fields. */
const shapes: Readonly<Partial<Record<keyof HostOptions, Shape>>> = {
  tokenProvider: callable,
  header: { avatar: text, subtitle: text, disclaimer: text },
  starters: [{ title: text, description: text, prompt: text, icon: text }, 'title'],
  mentionables: [{ id: uuid, name: text, type: text, description: text }, 'id', 'name'],
  uploadDocument: callable,
  feedbackReasons: [text],
  allowedOrigins: { images: [imageOrigin], media: [isOrigin], frames: [isOrigin], '*': () => false },
  renderers: { '*': callable },
  strings: { '*': (value) => text(isObject(value) ? value['other'] : value) },
  fetch: callable,
};
