import { type Answer, type Site, textHash } from './drive.ts';

export const HOST = 'https://www.example.org';
const HOME = `${HOST}/`;
const HONEST = Array.from({ length: 60 }, (_, i) => `${HOST}/about/page-${i}.html`);
const NAVIGATION = HONEST.slice(0, 8);

export function isHonest(url: string): boolean {
  return url === HOME || url.startsWith(`${HOST}/about/`);
}

/** A small honest site that names `entry` here and there. */
function around(entry: string, trap: (url: string) => Answer): Site {
  return {
    seeds: [HOME],
    answer(url) {
      if (!isHonest(url)) return trap(url);
      if (url === HOME) return { links: [...HONEST.slice(0, 20), entry] };
      const i = HONEST.indexOf(url);
      const links = [HOME, ...[1, 7, 13, 29].map((step) => HONEST[(i * step + step) % HONEST.length])];
      return { links: i % 16 === 0 ? [...links, entry] : links };
    },
  };
}

function lot(text: string, length = 16): string {
  let drawn = '';
  for (let i = 0; drawn.length < length; i++) drawn += textHash(`${text}#${i}`).toString(16).padStart(8, '0');
  return drawn.slice(0, length);
}

/** A word of letters only. */
function word(text: string): string {
  return lot(text, 7).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]);
}

function many(count: number, make: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function calendar(url: string): { readonly at: number; readonly links: string[] } {
  const [, year, month] = /when\/(\d+)\/(\d+)\//.exec(url) ?? ['', '2026', '6'];
  const at = Number(year) * 12 + Number(month) - 1;
  const page = (to: number): string => `${HOST}/when/${Math.floor(to / 12)}/${(to % 12) + 1}/`;
  return { at, links: [...NAVIGATION, page(at + 1), page(at - 1), page(at + 12)] };
}

function mazePage(url: string, paths: (from: string) => string): Answer {
  return { links: many(10, (i) => `${HOST}${paths(`${url}|${i}`)}`) };
}

const FACETS = ['color', 'size', 'brand', 'price', 'stock', 'rating'];

/** Each kind of trap, made anew for each test: some remember what they have shown. */
export const TRAPS: Readonly<Record<string, () => Site>> = {
  'a calendar without events': () =>
    around(`${HOST}/when/2026/6/`, (url) => ({ novelty: 'near-duplicate', links: calendar(url).links })),
  'a calendar whose pages are too short to compare': () =>
    around(`${HOST}/when/2026/6/`, (url) => ({ links: calendar(url).links, bytes: 900 + (textHash(url) % 4) })),
  'session ids that survive canonicalisation': () => {
    const shown = new Set<string>();
    return around(`${HOST}/shop/?v=1`, (url) => {
      const page = url.split('?', 1)[0];
      const novelty = shown.has(page) ? 'duplicate' : 'new';
      shown.add(page);
      return { novelty, links: many(9, (i) => `${HOST}/shop/item-${i}.html?v=${lot(`${url}${i}`)}`) };
    });
  },
  'a path that grows': () =>
    around(`${HOST}/l/`, (url) => ({ novelty: 'near-duplicate', links: [`${url}deeper/`, `${url}more/deeper/`] })),
  'a maze of random text': () =>
    around(`${HOST}/m/start`, (url) => mazePage(url, (from) => `/m/${word(from)}-${word(`${from}b`)}/${lot(from, 6)}`)),
  'a maze with navigation and a way back to its start': () =>
    around(`${HOST}/m/start`, (url) => {
      const { links = [] } = mazePage(url, (from) => `/m/${word(from)}/${word(`${from}b`)}`);
      return { links: [HOME, `${HOST}/m/start`, ...NAVIGATION, ...links] };
    }),
  'a maze of any depth': () =>
    around(`${HOST}/m/`, (url) => {
      return mazePage(url, (from) => `/m${many(1 + (textHash(from) % 6), (i) => `/${word(`${from}${i}`)}`).join('')}`);
    }),
  'endless subdomains, all alike': () =>
    around('https://x1.example.org/', (url) => {
      const name = url.slice(8, -1);
      const below = ['x', 'z'].map((letter) => `https://${letter}${name.split('.').length}.${name}/`);
      return {
        novelty: 'near-duplicate',
        links: name.length > 90 ? [`https://y${textHash(name)}.example.org/`] : below,
      };
    }),
  'endless subdomains with random text': () =>
    around('https://start.example.org/', (url) => ({
      links: many(4, (i) => `https://${word(`${url}${i}`)}.example.org/`),
    })),
  'a maze of redirects': () => around(`${HOST}/go/start`, (url) => ({ to: `${HOST}/go/${lot(url)}` })),
  'facets without end': () =>
    around(`${HOST}/things`, (url) => {
      const chosen = (url.split('?')[1] ?? '').split('&').filter((field) => field !== '');
      const links = FACETS.flatMap((facet) => {
        const others = chosen.filter((field) => !field.startsWith(facet));
        return many(5, (value) => `${HOST}/things?${[...others, `${facet}=${value}`].sort().join('&')}`);
      });
      return { novelty: chosen.length === 0 ? 'new' : 'near-duplicate', links };
    }),
  'variants of every page': () => {
    const site = around(`${HOST}/about/page-0.html?share=0`, (url) => {
      return { novelty: 'near-duplicate', links: many(2, (i) => `${url.split('?', 1)[0]}?share=${textHash(url + i)}`) };
    });
    return {
      seeds: site.seeds,
      answer(url) {
        if (url.includes('?')) return site.answer(url.replace('/about/', '/variant/').replace('page', 'page'));
        const answer = site.answer(url);
        return { ...answer, links: [...(answer.links ?? []), `${url}?share=1`, `${url}?share=2`] };
      },
    };
  },
  'a slow drip': () =>
    around(`${HOST}/pit/a.html`, (url) => {
      return { links: many(3, (i) => `${HOST}/pit/${lot(`${url}${i}`, 8)}.html`), fetchMs: 40_000, bytes: 700 };
    }),
  'a drip that never ends': () => {
    const site = around(`${HOST}/pit/`, () => ({ links: many(80, (i) => `${HOST}/pit/${lot(`${i}`, 8)}.html`) }));
    const isDrip = (url: string): boolean => url.endsWith('.html') && !isHonest(url);
    return {
      seeds: site.seeds,
      answer: (url) => (isDrip(url) ? { novelty: 'failed', fetchMs: 60_000, bytes: 900 } : site.answer(url)),
    };
  },
  'errors in disguise': () =>
    around(`${HOST}/f/a`, (url) => {
      return {
        novelty: 'soft-not-found',
        links: many(3, (i) => `${HOST}/f/${word(`${url}${i}`)}/${lot(`${url}${i}`)}`),
      };
    }),
};
