/** Maximum message length in characters; the limit of our own service. */
export const maxMessageLength = 100_000;
