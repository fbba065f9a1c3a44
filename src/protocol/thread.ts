import * as z from 'zod/mini';
import { lenientUuid } from './string-formats.ts';

/** A thread in a list of threads. @assumed the interface has no list of threads */
export const listedThreadSchema = z.looseObject({
  id: lenientUuid,
  agent_id: z.string(),
  /** Given by a caller or the agent; else the first words of the first message; `''` for a thread without words. */
  title: z.string(),
  /** The beginning of the last message that people see. */
  last_message: z.nullable(z.looseObject({ role: z.string(), text: z.string() })),
  /** Number of notifications. */
  unread: z.int(),
  archived: z.boolean(),
  created_on: z.string(),
  updated_on: z.string(),
  /** Where the query was found: in a message, or in the title. */
  match: z.optional(
    z.looseObject({ message_id: z.nullable(z.string()), text: z.string(), created_on: z.string() }),
  ),
});
export type ListedThread = z.infer<typeof listedThreadSchema>;

/** Some threads, and the `before` of the next ones. */
export const threadListSchema = z.object({
  threads: z.array(listedThreadSchema),
  next: z.nullable(z.string()),
});
export type ThreadList = z.infer<typeof threadListSchema>;

/** Changes of a thread. Absent or `null` members stay as they are. */
export const threadChangeSchema = z.looseObject({
  /** `''`: the agent's title, or the first words. */
  title: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  archived: z.optional(z.nullable(z.boolean())),
});
export type ThreadChange = z.infer<typeof threadChangeSchema>;
