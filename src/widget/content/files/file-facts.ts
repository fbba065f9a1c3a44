/** The type that a file's name says, such as `PDF`; `''` if it says none. */
export function fileType(name: string): string {
  return (/\.([a-z\d]{1,5})$/i.exec(name.trim())?.[1] ?? '').toUpperCase();
}

/** Whether a name is that of a picture that every browser shows. */
export function isPicture(name: string): boolean {
  return /^(PNG|JPE?G|GIF|WEBP|AVIF)$/.test(fileType(name));
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** A file's size in the language's own spelling, such as `1.2 MB`; `''` if it is unknown. */
export function fileSize(bytes: number | undefined, locale: string): string {
  if (bytes === undefined || !(bytes >= 0)) return '';
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const unit = units[step] ?? 'byte';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / 1000 ** step,
  );
}
