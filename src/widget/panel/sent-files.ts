/** Files sent from this page, by document id. Messages hold the ids only. */
export const sentFiles = new Map<string, File>();
