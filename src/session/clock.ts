/** Time, random numbers and ids, replaceable in tests. */
export interface SessionClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `delay` milliseconds, at most 24 days. The returned function cancels it. */
  after(delay: number, callback: () => void): () => void;
  /** From 0 (included) to 1 (not included). */
  random(): number;
  /** A new UUID. */
  uuid(): string;
}

/** Longest delay of the platform's timers, in milliseconds; a longer one would run at once. */
const maxDelayMs = 2 ** 31 - 1;

/** The platform's clock and random numbers. */
export const platformClock: SessionClock = {
  now: () => Date.now(),
  after(delay, callback) {
    const timer = setTimeout(callback, Math.min(delay, maxDelayMs));
    return () => {
      clearTimeout(timer);
    };
  },
  random: () => Math.random(),
  uuid: createUuid,
};

/** A UUID of version 4. `crypto.randomUUID` exists in secure contexts only; this works on http pages too. */
function createUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
