import { createHash } from 'node:crypto';

/** Names that Windows keeps for devices, whatever their ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/;
/** Letters that every file system takes and none changes. */
const PLAIN = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?$/;
const LONGEST_NAME = 80;
/** Windows takes 260 characters for all of a path. */
const LONGEST_PATH = 180;
const DIGITS = 16;

/**
 * Where the file of a page lies, with slashes: `example.org/guide/start.md` for the ending `.md`. A URL that is not written in plain small letters has some
 * digits of its SHA-256 in the name: so no two URLs share a path, also where the file system does not tell A from a, and no path leads
 * out of the folder.
 */
export function pagePath(url: string, ending: `.${string}`): string {
  const [, scheme = '', authority = '', path = '', rest = ''] =
    /^([^:]*):\/\/([^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? /^([^:]*)()()(.*)$/s.exec(url) ?? [];
  const host = `${scheme === 'https' ? '' : `${scheme}+`}${authority.replaceAll(':', '+')}`;
  const segments = path.split('/').slice(1);
  const last = segments.pop() ?? '';
  const isPlainHost = isPlainName(host.replaceAll('+', '-'));
  const isPlainLast = isPlainName(last);
  const isPlain =
    isPlainHost &&
    rest === '' &&
    (isPlainLast ? last !== 'index' : last === '' && path !== '') &&
    segments.every((segment) => isPlainName(segment) && !segment.endsWith(ending));
  const home = isPlainHost ? host : safeName(host, ending);
  // A page and the folder below it: /guide is guide.md, /guide/ is guide/index.md.
  const name = last === '' ? 'index' : isPlainLast ? last : safeName(last, ending);
  const whole = [home, ...segments.map((segment) => safeName(segment, ending)), name].join('/');
  if (isPlain && whole.length + ending.length <= LONGEST_PATH) return `${whole}${ending}`;
  const mark = `~${createHash('sha256').update(url).digest('hex').slice(0, DIGITS)}${ending}`;
  if (whole.length + mark.length <= LONGEST_PATH) return `${whole}${mark}`;
  return `${home}/${name.slice(0, LONGEST_PATH - home.length - mark.length - 1)}${mark}`;
}

function isPlainName(segment: string): boolean {
  return segment.length <= LONGEST_NAME && PLAIN.test(segment) && !RESERVED.test(segment);
}

/** The name of a folder, which no file has: these have the ending. */
function safeName(segment: string, ending: string): string {
  if (isPlainName(segment)) return segment.endsWith(ending) ? `${segment}_` : segment;
  const name = decoded(segment)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '_')
    .slice(0, LONGEST_NAME)
    .replace(/^\.+|\.+$/g, '_');
  return name === '' || RESERVED.test(name) || name.endsWith(ending) ? `_${name}_` : name;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
