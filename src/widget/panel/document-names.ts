/** Names of the documents sent from this page, by id; a message holds their ids only. */
export const documentNames = new Map<string, string>();
