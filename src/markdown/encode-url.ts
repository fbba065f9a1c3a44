const unsafe = /[^\w!#$%&'()*+,\-./:;=?@~]/gu;
const badEscape = /%(?![0-9a-f]{2})/gi;

/** Percent-encodes characters that are invalid in a URL. Keeps existing escapes. */
export function encodeUrl(address: string): string {
  return address.replace(badEscape, '%25').replace(unsafe, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%EF%BF%BD';
    }
  });
}
