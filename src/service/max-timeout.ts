/** What a timer of the platform can hold, in milliseconds (24 days): with more it would run at once. */
export const maxTimeoutMs = 2 ** 31 - 1;
