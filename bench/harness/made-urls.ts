import { seededRandom } from '../../src/base/seeded-random.ts';

/**
 * URLs as a broad crawl meets them, drawn with a seed: hosts by Zipf's law, each with one of a few kinds of software behind it, which
 * decides how its paths look (dates, words, numbers, escapes, query strings). About one in forty is drawn twice and more, as links are.
 */

const TOP_LEVELS = [
  'com',
  'com',
  'com',
  'com',
  'org',
  'org',
  'net',
  'de',
  'de',
  'co.uk',
  'fr',
  'ru',
  'com.br',
  'it',
  'pl',
  'jp',
  'nl',
  'info',
  'io',
  'edu',
];
const SYLLABLES = [
  'ba',
  'con',
  'der',
  'el',
  'fi',
  'ger',
  'ha',
  'in',
  'ka',
  'lo',
  'mer',
  'na',
  'or',
  'pre',
  'ri',
  'sta',
  'ti',
  'un',
  'ver',
  'wa',
  'ster',
  'ment',
  'tion',
  'ing',
  'al',
  'sch',
  'gra',
  'qua',
  'ze',
  'mo',
];
const ESCAPES = ['%C3%A4', '%C3%BC', '%D0%B0', '%D1%80', '%E6%97%A5', '%E2%80%93', '%20', '%28', '%29'];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'];
const SUBDOMAINS = ['', '', 'www.', 'www.', 'www.', 'blog.', 'shop.', 'm.', 'news.', 'forum.'];
const WORDS = 20_000;
const URLS_PER_HOST = 50;

interface Host {
  readonly origin: string;
  readonly kind: number;
  /** Pages so far: what numbers and dates of its paths go by. */
  pages: number;
}

/** `count` URLs in no order. */
export function* madeUrls(count: number, seed = 1): Generator<string> {
  const random = seededRandom(seed);
  const whole = (below: number): number => Math.floor(random() * below);
  // By Zipf's law: rank r with a chance of nearly 1/r.
  const rank = (ranks: number): number => Math.floor(Math.exp(random() * Math.log(ranks + 1))) - 1;
  const words = Array.from({ length: WORDS }, (_, at) => {
    const syllables = 1 + Math.min(3, Math.floor(Math.log10(at + 1))) + whole(2);
    return Array.from({ length: syllables }, () => SYLLABLES[whole(SYLLABLES.length)]).join('');
  });
  const word = (): string => words[rank(WORDS)];
  const slug = (least: number, more: number): string => Array.from({ length: least + whole(more) }, word).join('-');
  const hosts = new Map<number, Host>();
  const hostCount = Math.max(5, Math.ceil(count / URLS_PER_HOST));
  const hostAt = (at: number): Host => {
    const known = hosts.get(at);
    if (known !== undefined) return known;
    const name = `${SUBDOMAINS[whole(SUBDOMAINS.length)]}${word()}${whole(3) === 0 ? '-' : ''}${word()}${whole(5) === 0 ? whole(100) : ''}`;
    const host = {
      origin: `${whole(8) === 0 ? 'http' : 'https'}://${name}.${TOP_LEVELS[whole(TOP_LEVELS.length)]}`,
      kind: whole(8),
      pages: 0,
    };
    hosts.set(at, host);
    return host;
  };
  const two = (value: number): string => String(value).padStart(2, '0');
  const pathOf = (host: Host): string => {
    const page = ++host.pages;
    switch (host.kind) {
      case 0: {
        // News: a date and a title.
        const day = Math.floor(page / 12);
        return `/${2012 + (Math.floor(day / 336) % 14)}/${two(1 + (Math.floor(day / 28) % 12))}/${two(1 + (day % 28))}/${slug(3, 6)}/`;
      }
      case 1:
        // A shop: category, product, number; lists with filters.
        return whole(4) === 0
          ? `/${slug(1, 1)}/${slug(1, 2)}?page=${1 + rank(200)}&sort=${['price', 'name', 'new'][whole(3)]}`
          : `/${word()}/${slug(1, 2)}/${slug(2, 4)}-${100_000 + page * 7}.html`;
      case 2:
        return `/viewtopic.php?f=${1 + rank(60)}&t=${Math.ceil(page / 3) + 1000}${page % 3 === 0 ? '' : `&start=${(page % 3) * 20}`}`;
      case 3: {
        // A wiki, often not in English.
        const title = slug(1, 3).replaceAll('-', '_');
        return `/wiki/${title.charAt(0).toUpperCase()}${title.slice(1)}${whole(3) === 0 ? ESCAPES[whole(ESCAPES.length)] + word() : ''}_${page % 997}`;
      }
      case 4:
        return `/${LANGUAGES[whole(LANGUAGES.length)]}/docs/v${1 + whole(4)}.${whole(10)}/${word()}/${slug(1, 3)}.html`;
      case 5:
        return `/questions/${1_000_000 + page * 13 + whole(13)}/${slug(4, 6)}`;
      case 6: {
        // Names by digest, as of media and content stores.
        const digest = Array.from({ length: 4 }, () =>
          Math.floor(random() * 2 ** 32)
            .toString(16)
            .padStart(8, '0'),
        ).join('');
        return `/media/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}.${whole(4) === 0 ? 'pdf' : 'html'}`;
      }
      default:
        return whole(3) === 0
          ? `/index.php?id=${page}&L=${whole(3)}&cat=${word()}`
          : `/users/${word()}${whole(1000)}/${['posts', 'photos', 'about', 'friends'][whole(4)]}/${page}`;
    }
  };
  const recent: string[] = [];
  for (let made = 0; made < count; made++) {
    if (recent.length > 0 && whole(40) === 0) {
      yield recent[whole(recent.length)];
      continue;
    }
    const host = hostAt(rank(hostCount));
    const url = host.pages === 0 ? `${host.origin}/` : `${host.origin}${pathOf(host)}`;
    if (host.pages === 0) host.pages = 1;
    recent[made % 1000 < recent.length ? made % 1000 : recent.length] = url;
    yield url;
  }
}
