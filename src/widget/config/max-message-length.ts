/** Maximum message length in UTF-16 units. Our service allows as many code points by default (`MESSAGE_LIMIT`). */
export const maxMessageLength = 100_000;
