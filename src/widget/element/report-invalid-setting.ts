import { configTable, type AllowedValues, type ConfigKey } from '../config/config-table.ts';
import { diagnose } from '../events/report-diagnostic.ts';

/** The allowed values by kind, as diagnostics and documents name them. */
const kinds: Readonly<Record<Extract<AllowedValues, string>, string>> = {
  string: 'a string',
  boolean: 'true or false',
  url: 'an http or https address',
  integer: 'a whole number',
  uuid: 'a UUID',
  colour: 'a CSS colour, like #0f62fe',
  length: 'a positive length in px, em, rem, %, vw, vh or dvh',
};

/** Names the allowed values of a setting, such as `light, dark, auto` or `a whole number`. */
export function describeAllowedValues(allowed: AllowedValues): string {
  return typeof allowed === 'string' ? kinds[allowed] : allowed.filter(Boolean).join(', ');
}

/** Reports a value that a setting cannot have. */
export function reportInvalidSetting(element: EventTarget, key: ConfigKey, value: unknown): void {
  const { attribute, allowed } = configTable[key];
  const shown = key === 'token' ? 'its value' : `"${String(value).slice(0, 100)}"`;
  const message = `${attribute} cannot be ${shown}; allowed: ${describeAllowedValues(allowed)}. The previous value stays.`;
  diagnose(element, 'invalid-attribute', message);
}
