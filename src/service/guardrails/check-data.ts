/** Members that hold names and addresses for programs, not words for people. */
const passed = new Set([
  'id',
  'response_type',
  'type',
  'event_type',
  'sub_type',
  'key',
  'role',
  'status',
  'source',
  'json_schema',
  'ui_schema',
]);

/** Runs every string of a value that people may read through `check`, and gives the value with what came back. */
export async function checkData<Value>(
  value: Value,
  check: (text: string) => Promise<string>,
): Promise<Value> {
  return (await walk(value, check)) as Value; // only strings change, and they stay strings
}

async function walk(value: unknown, check: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return check(value);
  if (Array.isArray(value)) {
    const checked: unknown[] = [];
    for (const one of value) checked.push(await walk(one, check));
    return checked;
  }
  if (typeof value !== 'object' || value === null) return value;
  const checked: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const passes = passed.has(key) || key.endsWith('_id');
    checked.push([key, passes ? inner : await walk(inner, check)]);
  }
  return Object.fromEntries(checked);
}
