import { fileURLToPath } from 'node:url';
import { OrbweaverError } from '../base/errors.ts';
import { scopeSettings } from '../base/settings/topics/scope-settings.ts';
import type { Seed } from '../contracts/seed.ts';
import { exists, isLocalName, isPath, rootUrlOf } from './folder-seeds.ts';

/** The seed in one line of text; undefined for blank lines and comments; an error sentence where the line is neither. */
export type SeedLine = Seed | { readonly wrong: string } | undefined;

/**
 * Whether folders and files of this machine may be named. 'paths': as file: URLs and by what is a path beyond doubt; 'names': also by the bare
 * name of a folder or file; 'known': as file: URLs that a crawl knows, whose files may be gone by now.
 */
export type LocalSeeds = 'none' | 'paths' | 'names' | 'known';

/** A line of a seed list: a URL and what it says of its scope, or a JSON object with the member `url`. `#` begins a comment, at the start or after white space. */
export function readSeedLine(line: string, schemes = '', local: LocalSeeds = 'none'): SeedLine {
  const text = line.replace(/^\ufeff/, '').trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (!text.startsWith('{')) return readWords(withoutComment(text, local), schemes, local);
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { wrong: 'it is not valid JSON' };
  }
  const { url, scope, depth } = record as { url?: unknown; scope?: unknown; depth?: unknown };
  if (typeof url !== 'string') return { wrong: 'the JSON object has no text "url"' };
  return withScope(completeSeed(url.trim(), schemes, local), { scope, depth });
}

/** "Talk #3.pdf" is a name like any other: where there is such a file, no comment begins in it. */
function withoutComment(text: string, local: LocalSeeds): string {
  const isWhole = local !== 'none' && isPath(text) && exists(text);
  if (isWhole || !/\s#/.test(text)) return text;
  const cuts =
    local === 'none' || !isPath(text) ? [] : [...text.matchAll(/\s+#/g)].map(({ index }) => text.slice(0, index));
  // The longest name that is there; a comment may follow it.
  return cuts.findLast(exists) ?? text.replace(/\s+#.*$/, '');
}

/** `https://a.example/docs/ scope=directory depth=2` */
function readWords(text: string, schemes: string, local: LocalSeeds): Exclude<SeedLine, undefined> {
  const [url, ...options] = text.split(/\s+/);
  // Then it is a URL that was broken up.
  if (options.some((option) => !/^[a-z]+=/.test(option))) return completeSeed(text, schemes, local);
  const said: Record<string, string> = {};
  for (const option of options) {
    const [, name, value] = /^(scope|depth)=(.+)$/.exec(option) ?? [];
    if (name === undefined)
      return { wrong: `after the URL come scope=… and depth=… alone, not ${JSON.stringify(option)}` };
    if (name in said) return { wrong: `it has ${name} twice` };
    said[name] = value;
  }
  return withScope(completeSeed(url, schemes, local), said);
}

function withScope(
  seed: Exclude<SeedLine, undefined>,
  { scope, depth }: { readonly scope?: unknown; readonly depth?: unknown },
): Exclude<SeedLine, undefined> {
  if ('wrong' in seed) return seed;
  const reading = scope === undefined ? undefined : scopeSettings.scope.kind.read(scope, 'documented');
  if (reading !== undefined && 'wrong' in reading) return { wrong: `scope ${reading.wrong}` };
  if (depth !== undefined && !/^\d{1,6}$/.test(String(depth))) return { wrong: 'depth is a whole number' };
  return {
    ...seed,
    ...(reading === undefined ? {} : { scope: reading.value }),
    ...(depth === undefined ? {} : { depth: Number(depth) }),
  };
}

/**
 * A seed without a scheme gets https, and is marked: a crawl tries which one is served. Only where https can hardly be meant
 * (localhost, addresses, names without a dot, port 80) the guess is http. `schemes`: those of plug-ins, with their colons, separated
 * by blanks.
 */
export function completeSeed(text: string, schemes = '', local: LocalSeeds = 'none'): Exclude<SeedLine, undefined> {
  // A path that nobody may name is refused, rather than read as a host: whoever reads the same line later may name it.
  const isLocal = /^file:/i.test(text) || isPath(text) || (local === 'names' && isLocalName(text));
  if (isLocal) return local === 'none' ? { wrong: LOCAL_ONLY } : folderSeed(text, local);
  if (/\s/.test(text)) return { wrong: 'it contains white space' };
  const scheme = (/^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? SCHEMES_WITHOUT_HOST.exec(text))?.[1].toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && !schemes.split(' ').includes(`${scheme}:`)) {
    return { wrong: `${scheme} is neither http nor https` };
  }
  if (scheme === undefined && text.includes('://') && !/[/?#]/.test(text.slice(0, text.indexOf('://'))))
    return { wrong: `${text.slice(0, text.indexOf('://'))} is neither http nor https` };
  const complete = scheme === undefined ? withScheme(text.replace(/^\/\//, '')) : text;
  if (complete === undefined || !URL.canParse(complete)) return { wrong: 'it is not a URL' };
  const url = new URL(complete);
  if (url.username !== '' || url.password !== '')
    return { wrong: 'it names a user; the setting credentials does that' };
  // Who writes the port of a scheme has named the scheme.
  const isOpen = scheme === undefined && !/:(?:80|443)(?:[/?#]|$)/.test(text);
  return { url: url.href, ...(isOpen ? { assumed: true } : {}) };
}

const LOCAL_ONLY =
  'folders and files of this machine are named on the command line, or in the settings of the crawl, alone';

function folderSeed(text: string, local: LocalSeeds): Exclude<SeedLine, undefined> {
  try {
    const url = /^file:/i.test(text) ? URL.parse(text) : undefined;
    if (url === null || (url !== undefined && url.hostname !== ''))
      return { wrong: 'it names no file of this machine' };
    if (local === 'known' && url !== undefined) return { url: url.href };
    return { url: rootUrlOf(url === undefined ? text : fileURLToPath(url)) };
  } catch (error) {
    return { wrong: error instanceof OrbweaverError ? error.message : 'it names no file of this machine' };
  }
}

/** Of these no host follows; `name:` alone could as well be a host with its port. */
const SCHEMES_WITHOUT_HOST = /^(about|blob|data|javascript|mailto|sms|tel|urn|view-source):(?!\d+(?:[/?#]|$))/i;

function withScheme(text: string): string | undefined {
  const secure = `https://${text}`;
  if (!URL.canParse(secure)) return undefined;
  const { hostname, port } = new URL(secure);
  const address = hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  const local = !hostname.includes('.') || hostname.endsWith('.localhost');
  return address || local || port === '80' ? `http://${text}` : secure;
}
