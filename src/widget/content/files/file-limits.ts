import { own } from '../../../protocol/json.ts';
import type { StringKey, Strings } from '../../i18n/strings.ts';
import { formatList } from '../format-value.ts';
import { asObject, list, number, text } from '../read-item.ts';

/** Maximum length in characters of a list of types in one text; those of office programs are long. */
const maxListLength = 10_000;

/** The agent's limits for uploads. */
export interface UploadLimits {
  /** MIME types, also wildcards such as `image/*`, and extensions such as `.pdf`. Empty: any. */
  readonly types: readonly string[];
  /** Maximum file size in megabytes of 1,000,000 bytes. */
  readonly megabytes: number | undefined;
  /** Maximum number of files. */
  readonly files: number | undefined;
}

/** Reads `uploadSettings{allowedFileMimeTypes maxSingleFileSizeMB maxFilesPerUpload}`. */
export function readUploadLimits(settings: unknown): UploadLimits {
  const fields = asObject(settings);
  return {
    types: list(fields['allowedFileMimeTypes'], 60)
      .flatMap((entry) => text(entry, maxListLength).split(',').map(mediaType))
      .filter(Boolean),
    megabytes: positive(fields['maxSingleFileSizeMB']),
    files: positive(fields['maxFilesPerUpload']),
  };
}

/** The string for the visitor that says why a file is rejected; `undefined` if it is accepted. */
export function fileError(
  file: File,
  limits: UploadLimits,
): { readonly key: StringKey; readonly values: Readonly<Record<string, string | number>> } | undefined {
  if (limits.types.length && !limits.types.some((type) => isOfType(file, type))) {
    return { key: 'file.wrong-type', values: { name: file.name } };
  }
  if (limits.megabytes !== undefined && file.size > limits.megabytes * 1_000_000) {
    return { key: 'file.too-large', values: { name: file.name, limit: limits.megabytes } };
  }
  return undefined;
}

/** The allowed types as visitors know them: `PDF, image`. Types without a short name stay as they are. */
export function describeTypes(types: readonly string[], words: Strings): string {
  const names = types.map((type) => {
    const [kind, subtype = ''] = type.split('/');
    if (subtype === '*' && (kind === 'image' || kind === 'video' || kind === 'audio'))
      return words.t(`media.${kind}`);
    const name = own(shortNames, type) ?? (subtype || type.replace('.', ''));
    return /^[a-z\d]{1,5}$/.test(name) ? name.toUpperCase() : type;
  });
  return formatList([...new Set(names)], words.locale);
}

const office = 'application/vnd.openxmlformats-officedocument.';
const shortNames: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  [`${office}wordprocessingml.document`]: 'docx',
  [`${office}spreadsheetml.sheet`]: 'xlsx',
  [`${office}presentationml.presentation`]: 'pptx',
  'image/svg+xml': 'svg',
};

function isOfType(file: File, type: string): boolean {
  if (type === '*' || type === '*/*') return true;
  if (type.startsWith('.')) return file.name.toLowerCase().endsWith(type);
  const reported = mediaType(file.type);
  if (type.endsWith('/*')) return reported.startsWith(type.slice(0, -1));
  // The reported type depends on the installed programs: with Excel installed, a .csv file is reported as a
  // spreadsheet.
  return reported === type || file.name.toLowerCase().endsWith(`.${type.split('/')[1] ?? type}`);
}

/** Normalizes a MIME type to the name that browsers use; services may list others. */
export function mediaType(type: string): string {
  const name = type.trim().toLowerCase();
  return own(aliases, name) ?? name;
}

const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
};

function positive(value: unknown): number | undefined {
  const found = number(value);
  return found !== undefined && found > 0 ? found : undefined;
}
