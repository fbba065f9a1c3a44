import { isSpecType, type Client, type Tool } from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import { isObject } from '../../protocol/json.ts';

/** A page of a list. Its tools are checked one by one: one that is invalid must not cost all others. */
const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.nullish(z.string()) });

/** Most pages of a list: a server could name another one for ever. */
const maxPages = 64;

/**
 * Returns the tools of a server, without those that break the protocol.
 * @param options.onInvalid receives the names of those
 */
export async function listTools(
  client: Client,
  options: { readonly timeout: number; readonly onInvalid: (names: readonly string[]) => void },
): Promise<readonly Tool[]> {
  const declared: unknown[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor ? { cursor } : {};
    const { timeout } = options;
    const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, pageSchema, {
      timeout,
    });
    declared.push(...tools);
    cursor = nextCursor;
    if (!cursor) break;
  }
  const all = declared.map(withoutNulls);
  const invalid = all.filter((tool) => !isSpecType.Tool(tool));
  options.onInvalid(invalid.map((tool) => (isObject(tool) ? String(tool['name']) : 'a tool without a name')));
  return all.filter((tool) => isSpecType.Tool(tool));
}

/** Leaves out members that are `null`, also of the schemas: a server in Go writes `null` for an empty list or map. */
function withoutNulls(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  const { inputSchema, outputSchema, ...others } = present(tool);
  return {
    ...others,
    ...(isObject(inputSchema) ? { inputSchema: present(inputSchema) } : {}),
    ...(isObject(outputSchema) ? { outputSchema: present(outputSchema) } : {}),
  };
}

function present(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
