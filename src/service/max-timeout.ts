/** Longest delay of a platform timer, in ms (24 days). A longer one would fire at once. */
export const maxTimeoutMs = 2 ** 31 - 1;
