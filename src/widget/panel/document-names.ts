/** File names of the documents sent from this page, by document id. Messages hold the ids only. */
export const documentNames = new Map<string, string>();
