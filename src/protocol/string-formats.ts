import * as z from 'zod/mini';

/**
 * An identifier that the interface calls `<uuid>`: any version, any variant, either case. Real services use
 * ids that strict version checks reject.
 */
export const lenientUuid = z.string().check(
  z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, {
    error: 'must be a UUID, like 123e4567-e89b-12d3-a456-426614174000',
  }),
);

/** A date and time in ISO 8601, with an offset or in UTC; without a zone, UTC is assumed. */
export const dateTime = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i, {
    error: 'must be an ISO 8601 date and time, like 2026-01-31T09:41:00Z',
  }),
  z.refine((value) => !Number.isNaN(Date.parse(value)), { error: 'must be a date that exists' }),
);
