const unsafe = /[^\w!#$%&'()*+,\-./:;=?@~]/gu;
const badEscape = /%(?![0-9a-f]{2})/gi;

/** Percent-encodes what cannot stand in an address, keeping what is encoded already. */
export function encodeAddress(address: string): string {
  return address.replace(badEscape, '%25').replace(unsafe, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%EF%BF%BD';
    }
  });
}
