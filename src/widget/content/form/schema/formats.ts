/** Days of the months; February's 29th is looked at on its own. */
const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Formats that are checked. Any other is a hint for the reader. Every check takes time linear in the text. */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  email: isEmail,
  'idn-email': (value) => /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 320,
  uri: (value) => isUri(value),
  url: (value) => isUri(value),
  iri: (value) => isUri(value.replace(/[^\0-\x7f]/g, 'a')),
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  uuid: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  ipv4: isIpv4,
  ipv6: isIpv6,
};

/** Whether the format is one that is checked. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(formats, format);
}

/** Whether a text is of a format. True for formats that are not checked. */
export function fitsFormat(format: string, value: string): boolean {
  if (value.length > 8192) return false;
  return formats[format]?.(value) ?? true;
}

function isDate(value: string): boolean {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (!found) return false;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2 && day === 29) return leap;
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function isTime(value: string): boolean {
  const found = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(value);
  if (!found) return false;
  const [hour, minute, second] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const [offsetHour, offsetMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // A leap second is the last of a day in UTC.
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === '-' ? -1 : 1);
  return (hour * 60 + minute - offset + 2880) % 1440 === 1439;
}

function isDateTime(value: string): boolean {
  return /^.{10}[t ]/i.test(value) && isDate(value.slice(0, 10)) && isTime(value.slice(11));
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@');
  const [name, host] = [value.slice(0, at), value.slice(at + 1)];
  if (at < 1 || name.length > 64 || host.length > 253) return false;
  const quoted = /^"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/.test(name);
  const plain = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(name);
  return (quoted || plain) && (isHostName(host) || isAddressLiteral(host));
}

function isAddressLiteral(host: string): boolean {
  if (!host.startsWith('[') || !host.endsWith(']')) return false;
  const address = host.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}

function isHostName(host: string): boolean {
  return host.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

function isIpv4(value: string): boolean {
  const parts = value.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(value: string): boolean {
  if (value.length > 45) return false;
  const halves = value.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const all = groups.flat();
  const last = all.at(-1) ?? '';
  const embedded = last.includes('.');
  if (embedded && (!isIpv4(last) || value.endsWith('::'))) return false;
  const plain = embedded ? all.slice(0, -1) : all;
  if (!plain.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  const count = plain.length + (embedded ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

/** RFC 3986, with a scheme. */
function isUri(value: string): boolean {
  const found = /^[a-z][a-z\d+.-]*:(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(value);
  if (!found) return false;
  const [, authority, path = '', query = '', fragment = ''] = found;
  if (authority !== undefined && !isAuthority(authority)) return false;
  if (authority === undefined && path.startsWith('//')) return false;
  return areCharacters(path, ':@/') && areCharacters(query, ':@/?') && areCharacters(fragment, ':@/?');
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  if (!areCharacters(authority.slice(0, Math.max(at, 0)), ':')) return false;
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1));
  const host = found?.[1];
  if (host === undefined) return false;
  if (!host.startsWith('[')) return areCharacters(host, '');
  const address = host.slice(1, -1);
  return isIpv6(address) || /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address);
}

/** Unreserved characters, sub-delimiters, percent codes, and those allowed here besides. */
function areCharacters(value: string, besides: string): boolean {
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === '%') {
      if (!/^[\da-f]{2}$/i.test(value.slice(index + 1, index + 3))) return false;
    } else if (!/[\w.~!$&'()*+,;=-]/.test(character) && !besides.includes(character)) return false;
  }
  return true;
}
