import * as z from 'zod/mini';

/**
 * A run event, normalized by the decoder: `id` is a string (`''` if absent), `data` an object (`{}` if
 * absent). Unknown kinds are kept and are not errors.
 * @source interface, "Run event"
 */
export const runEventSchema = z.looseObject({
  id: z.string(),
  event: z.string(),
  data: z.looseObject({}),
});
export type RunEvent = z.infer<typeof runEventSchema>;
