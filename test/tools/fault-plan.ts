import { seeded } from './seeded.ts';

/** A fault of one response that streams a run. Byte offsets count from the start of the body. */
export type Fault =
  | {
      readonly kind:
        | 'none'
        | 'refuse'
        | 'lose-answer'
        | 'html'
        | 'gzip'
        | 'line-ends'
        | 'no-end'
        | 'after-done';
    }
  | { readonly kind: 'rechunk'; readonly sizes: readonly number[] }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | {
      readonly kind: 'stall' | 'reset' | 'half-close' | 'truncate';
      readonly at: number;
      /** Whether to cut only inside a multi-byte character. */
      readonly insideCharacter: boolean;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      /** Whether the service receives the request. */
      readonly reaches: boolean;
    }
  | { readonly kind: 'content-type'; readonly value: string | undefined }
  | { readonly kind: 'duplicate' | 'unknown' | 'reorder'; readonly every: number };

/** Every kind of fault, in the order in which the first seeds use them. */
export const faultKinds = [
  'rechunk', 'line-ends', 'delay', 'stall', 'reset', 'half-close', 'truncate', 'refuse', 'lose-answer', 'html',
  'status', 'content-type', 'gzip', 'duplicate', 'unknown', 'reorder', 'after-done', 'no-end',
] as const satisfies readonly Fault['kind'][]; // oxfmt-ignore

/** Error statuses of the service and of proxies. */
const statuses = [401, 403, 404, 409, 413, 415, 422, 429, 500, 502, 503, 504] as const;

/** The faults of one turn, one for each of its responses; further responses have none. */
export interface FaultPlan {
  readonly seed: number;
  readonly faults: readonly Fault[];
}

/** Creates a plan; the same seed gives the same plan. The first seeds start with one kind each. */
export function faultPlan(seed: number): FaultPlan {
  const { next, between, pick } = seeded(seed * 7919 + 17);
  const fault = (kind: (typeof faultKinds)[number]): Fault => {
    switch (kind) {
      case 'rechunk':
        return { kind, sizes: Array.from({ length: 5 }, () => between(1, 9)) };
      case 'delay':
        return { kind, milliseconds: between(1, 25) };
      case 'stall':
      case 'reset':
      case 'half-close':
      case 'truncate':
        return { kind, at: between(0, 2_600), insideCharacter: next() < 0.4 };
      case 'status': {
        const status = pick(statuses);
        return { kind, status, reaches: status >= 500 && next() < 0.5 };
      }
      case 'content-type':
        return {
          kind,
          value: pick([undefined, 'text/html', 'application/octet-stream', 'application/json']),
        };
      case 'duplicate':
      case 'unknown':
      case 'reorder':
        return { kind, every: between(1, 5) };
      default:
        return { kind };
    }
  };
  const first = faultKinds[seed % faultKinds.length] ?? 'reset';
  const count = between(1, 3);
  const later = Array.from({ length: count - 1 }, () => fault(pick(faultKinds)));
  return { seed, faults: [fault(first), ...later] };
}
