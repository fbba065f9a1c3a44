/** Protocol fields that are not checked: programs read them, people do not. */
const passed: ReadonlySet<string> = new Set([
  'id',
  'response_type',
  'type',
  'event_type',
  'sub_type',
  'key',
  'role',
  'status',
  'agent_id',
  'assistant_id',
  'client_message_id',
  'dps_payload_id',
  'environment_id',
  'message_id',
  'parent_message_id',
  'run_id',
  'tenant_id',
  'thread_id',
  'tool_call_id',
]);

/** Items whose `source` is a URL, not text. */
const media: ReadonlySet<unknown> = new Set(['image', 'video', 'audio', 'iframe']);

/** Fields with keys of the page's or the agent's choice. Every string below them is checked. */
const freeForm: ReadonlySet<string> = new Set([
  'form_data',
  'json_schema',
  'ui_schema',
  'user_defined',
  'context',
  'context_variables',
  'additional_parameters',
  'args',
  'arguments',
  'structuredContent',
  '_meta',
]);

type Check = (text: string) => Promise<string>;

/** Passes every human-readable string of a value through `check` and returns the value with the results. */
export async function checkData<Value>(value: Value, check: Check): Promise<Value> {
  return (await walk(value, check, passesInProtocol)) as Value; // only strings change, and they stay strings
}

type Passes = (key: string, within: object) => boolean;

const passesInProtocol: Passes = (key, within) =>
  passed.has(key) || (key === 'source' && 'response_type' in within && media.has(within.response_type));
const nothingPasses: Passes = () => false;

async function walk(value: unknown, check: Check, passes: Passes): Promise<unknown> {
  if (typeof value === 'string') return check(value);
  if (Array.isArray(value)) {
    const checked: unknown[] = [];
    for (const one of value) checked.push(await walk(one, check, passes));
    return checked;
  }
  if (typeof value !== 'object' || value === null) return value;
  const checked: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && passes(key, value)) checked.push([key, inner]);
    else checked.push([key, await walk(inner, check, freeForm.has(key) ? nothingPasses : passes)]);
  }
  return Object.fromEntries(checked);
}
