import * as z from 'zod/mini';
import { dateTime, lenientUuid } from './string-formats.ts';

/** Marks something in a thread as unread. @source interface, "Notification record" */
export const notificationSchema = z.looseObject({
  id: z.optional(z.nullable(lenientUuid)),
  thread_id: lenientUuid,
  run_id: z.optional(z.nullable(lenientUuid)),
  tenant_id: z.optional(z.nullable(z.string())),
  created_on: z.optional(z.nullable(dateTime)),
  updated_at: z.optional(z.nullable(dateTime)),
});
export type Notification = z.infer<typeof notificationSchema>;
