/** A page of a marina with the chat in one layout. */
export function hostPage(options: { readonly layout: string; readonly theme: string }): string;
