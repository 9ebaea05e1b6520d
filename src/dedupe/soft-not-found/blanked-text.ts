import { textHash } from '../mirrors/text-hash.ts';

/** What the names of probes begin with: pages that repeat the address they were asked for are told by it. */
export const PROBE_MARK = 'orbweaver-probe-';

const ECHOED_PROBE = /[^\s"'<>«»„“”]*orbweaver[\s_+-]probe[\s_+-][a-z0-9]+[^\s"'<>«»„“”]*/g;
const SHORTEST_ECHO = 4;
/** More of a text is not looked at: nobody's title shall cost us a second. */
const LONGEST = 2000;
const MOST_FEATURES = 64;

/** The text with the address it was asked for taken out, and numbers: what is left is the same for every address. */
export function blankAddress(text: string, url: string): string {
  let blanked = text.slice(0, LONGEST).toLowerCase();
  if (blanked.includes('orbweaver')) blanked = blanked.replace(ECHOED_PROBE, ' ');
  for (const echo of echoesOf(url)) {
    if (blanked.includes(echo)) blanked = blanked.split(echo).join(' ');
  }
  return blanked.replace(/[^\p{L}]+/gu, ' ').trim();
}

/** Hashes of pairs of neighbouring words, sorted, each once; the smallest where there are many. */
export function featuresOf(blanked: string): Uint32Array {
  const words = blanked === '' ? [] : blanked.split(' ');
  const hashes = new Set<number>();
  for (let at = 0; at < words.length; at++) hashes.add(textHash(`${words[at]} ${words[at + 1] ?? ''}`));
  return Uint32Array.from(hashes).sort().slice(0, MOST_FEATURES);
}

/** The Jaccard coefficient of two sorted lists. */
export function resemblance(a: Uint32Array, b: Uint32Array): number {
  let both = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      both++;
      i++;
      j++;
    } else if (a[i] < b[j]) i++;
    else j++;
  }
  const all = a.length + b.length - both;
  return all === 0 ? 0 : both / all;
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** The ways in which a page may repeat its address, the longest first. */
function echoesOf(url: string): string[] {
  const lower = url.toLowerCase();
  const start = lower.indexOf('/', lower.indexOf('//') + 2);
  if (start < 0) return [];
  const target = lower.slice(start);
  const mark = target.search(/[?#]/);
  const path = mark < 0 ? target : target.slice(0, mark);
  const name = path.replace(/\/$/, '').slice(path.replace(/\/$/, '').lastIndexOf('/') + 1);
  const bare = name.replace(/\.[a-z0-9]{1,5}$/, '');
  const spoken = unescaped(bare).replace(/[-_+.]+/g, ' ');
  const echoes = [lower, target, unescaped(target), path, unescaped(path), name, unescaped(name), bare, spoken];
  return [...new Set(echoes)].filter((echo) => echo.length >= SHORTEST_ECHO).sort((a, b) => b.length - a.length);
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return text;
  }
}
