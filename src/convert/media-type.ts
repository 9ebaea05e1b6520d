import { documentKindOf, isOfficeDocument } from './documents/document-types.ts';
import { sniffMediaType } from './media-signatures.ts';

export interface ContentType {
  /** "type/subtype" in lower case. */
  readonly type: string;
  /** Parameters by lower-case name; of two with one name the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

export interface MediaType {
  /** "type/subtype" in lower case; application/octet-stream where nothing is known. */
  readonly type: string;
  /** To be read as HTML, XHTML included. */
  readonly isHtml: boolean;
  readonly isXml: boolean;
  /** Characters rather than bytes. */
  readonly isText: boolean;
  /** The charset parameter of the header. */
  readonly charset?: string;
}

const UNKNOWN = 'application/octet-stream';

/** Types that servers send for want of a better one. */
const SAYS_NOTHING = new Set([
  UNKNOWN,
  'application/unknown',
  'application/force-download',
  'application/download',
  'application/x-download',
  'binary/octet-stream',
  'content/unknown',
  'unknown/unknown',
  '*/*',
]);

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['css', 'text/css'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['xml', 'application/xml'],
  ['rss', 'application/rss+xml'],
  ['atom', 'application/atom+xml'],
  ['svg', 'image/svg+xml'],
  ['pdf', 'application/pdf'],
  ['rtf', 'application/rtf'],
  ['doc', 'application/msword'],
  ['dot', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pps', 'application/vnd.ms-powerpoint'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['docm', 'application/vnd.ms-word.document.macroenabled.12'],
  ['dotx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.template'],
  ['xlsm', 'application/vnd.ms-excel.sheet.macroenabled.12'],
  ['xltx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.template'],
  ['pptm', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'],
  ['ppsx', 'application/vnd.openxmlformats-officedocument.presentationml.slideshow'],
  ['potx', 'application/vnd.openxmlformats-officedocument.presentationml.template'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['odg', 'application/vnd.oasis.opendocument.graphics'],
  ['ott', 'application/vnd.oasis.opendocument.text-template'],
  ['ots', 'application/vnd.oasis.opendocument.spreadsheet-template'],
  ['otp', 'application/vnd.oasis.opendocument.presentation-template'],
  ['epub', 'application/epub+zip'],
]);

const TEXT_APPLICATIONS = new Set([
  'application/json',
  'application/ld+json',
  'application/javascript',
  'application/rtf',
]);

/** What a body is. The header is believed unless it says nothing or the first bytes contradict it. */
export function mediaTypeOf(header: string | undefined, bytes: Uint8Array, url: string): MediaType {
  const declared = parseContentType(header);
  const type = judge(declared?.type, bytes, url);
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  const isXml = type.endsWith('+xml') || type === 'application/xml' || type === 'text/xml';
  return {
    type,
    isHtml,
    isXml,
    isText: isHtml || isXml || type.startsWith('text/') || type.endsWith('+json') || TEXT_APPLICATIONS.has(type),
    charset: declared?.parameters.get('charset'),
  };
}

function judge(declared: string | undefined, bytes: Uint8Array, url: string): string {
  const sniffed = sniffMediaType(bytes);
  if (declared === undefined || SAYS_NOTHING.has(declared)) {
    const named = BY_EXTENSION.get(extensionOf(url));
    if (sniffed === undefined) return named ?? UNKNOWN;
    // The content of an archive or of XML or text is told best by the name.
    return named !== undefined && (sniffed.vague || named.endsWith('+xml')) ? named : sniffed.type;
  }
  if (sniffed === undefined || sniffed.vague) return declared;
  // Old names of Office formats are sent for the new ones, and both for HTML and RTF that Office can open.
  if (isOfficeDocument(sniffed.type))
    return isCharacters(declared) || isContainer(declared) ? oneOf(declared, sniffed.type) : declared;
  if (isOfficeDocument(declared) && sniffed.type === 'text/html') return sniffed.type;
  if (sniffed.binary) return isCharacters(declared) ? sniffed.type : declared;
  const markup = declared === 'text/html' || declared === 'text/xml' || declared === 'application/xml';
  return markup && sniffed.feed ? sniffed.type : declared;
}

/** A template of a format and its kin keep the name that they were given. */
function oneOf(declared: string, sniffed: string): string {
  return documentKindOf(declared) === documentKindOf(sniffed) ? declared : sniffed;
}

function isContainer(type: string): boolean {
  return isOfficeDocument(type) || type === 'application/zip' || type === 'application/x-zip-compressed';
}

function isCharacters(type: string): boolean {
  return type.startsWith('text/') || type.endsWith('xml') || type.endsWith('json');
}

/** Taken apart as the MIME Sniffing Standard has it; undefined where it names no type. */
export function parseContentType(header: string | undefined): ContentType | undefined {
  const [essence, ...rest] = splitParameters(header ?? '');
  const type = essence.trim().toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/.test(type)) return undefined;
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const equals = part.indexOf('=');
    if (equals === -1) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    const value = unquoted(part.slice(equals + 1).trim());
    if (name !== '' && value !== '' && !parameters.has(name)) parameters.set(name, value);
  }
  return { type, parameters };
}

/** Parts between semicolons that stand in no quotes. */
function splitParameters(header: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < header.length; at++) {
    const char = header[at];
    if (char === '\\' && quoted) at++;
    else if (char === '"') quoted = !quoted;
    else if (char === ';' && !quoted) {
      parts.push(header.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(header.slice(start));
  return parts;
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value;
  return value.slice(1, value.endsWith('"') && value.length > 1 ? -1 : undefined).replace(/\\(.)/g, '$1');
}

function extensionOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return /\.([a-z0-9]{1,8})$/i.exec(path)?.[1].toLowerCase() ?? '';
}
