import { quickOrLong } from '../../../property-runs.ts';
import { type Site, textHash } from './drive.ts';

const HOST = 'https://www.example.org';
const HOME = `${HOST}/`;

export interface HonestSite extends Site {
  /** All there is to find. */
  readonly pages: number;
}

function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

/** Twenty years of posts, listed by month; each names the one before and the one after. */
function blog(): HonestSite {
  const months = range(240);
  const monthOf = (month: number): string =>
    `${HOST}/${2006 + Math.floor(month / 12)}/${String((month % 12) + 1).padStart(2, '0')}/`;
  const posts = months.flatMap((month) =>
    range(8).map((i) => `${monthOf(month)}${3 * i + 1}/a-post-of-${month}-and-${i}/`),
  );
  const place = new Map(posts.map((url, i) => [url, i]));
  const monthsAt = new Map(months.map((month) => [monthOf(month), month]));
  return {
    seeds: [HOME],
    pages: 1 + months.length + posts.length,
    answer(url) {
      if (url === HOME) return { links: [monthOf(239), ...posts.slice(-8)] };
      const month = monthsAt.get(url);
      if (month !== undefined) {
        const near = [month - 1, month + 1].filter((at) => monthsAt.has(monthOf(at))).map(monthOf);
        return { links: [HOME, ...near, ...posts.slice(month * 8, month * 8 + 8)] };
      }
      const i = place.get(url) ?? 0;
      return { links: [HOME, ...posts.slice(Math.max(0, i - 1), i + 2)] };
    },
  };
}

/** Links to popular pages are frequent, those to the many others are drawn by lot. */
function wiki(pages: number): HonestSite {
  const page = (i: number): string => `${HOST}/wiki/${textHash(`t${i}`).toString(36)}_${i}`;
  return {
    seeds: [HOME],
    pages: pages + 1,
    answer(url) {
      const at = url === HOME ? 0 : Number(url.slice(url.lastIndexOf('_') + 1));
      const drawn = range(25).map((k) => {
        const lot = textHash(`${url}|${k}`) / 2 ** 32;
        return page(Math.floor(pages * (k % 2 === 0 ? lot ** 3 : lot)));
      });
      return { links: [HOME, page((at + 1) % pages), ...drawn] };
    },
  };
}

function shop(): HonestSite {
  const products = 20_000;
  const perList = 100;
  const product = (i: number): string => `${HOST}/p/${i}/thing-${textHash(`p${i}`).toString(36)}`;
  const list = (i: number): string => `${HOST}/list?page=${i}`;
  const facets = range(200).map((i) => `${HOST}/list?brand=${i % 20}&color=${Math.floor(i / 20)}`);
  return {
    seeds: [HOME],
    pages: 1 + products + products / perList + facets.length,
    answer(url) {
      if (url === HOME) return { links: [list(0), ...facets.slice(0, 10)] };
      if (url.includes('brand=')) {
        const at = facets.indexOf(url);
        return {
          links: [
            HOME,
            facets[(at + 10) % 200],
            facets[(at + 1) % 200],
            ...range(12).map((k) => product((at * 97 + k) % products)),
          ],
        };
      }
      if (url.includes('page=')) {
        const at = Number(url.split('page=')[1]);
        const next = at + 1 < products / perList ? [list(at + 1)] : [];
        return { links: [HOME, ...next, ...range(perList, at * perList).map(product)] };
      }
      const at = Number(url.split('/')[4]);
      return { links: [HOME, ...range(4).map((k) => product(textHash(`r${at}${k}`) % products))] };
    },
  };
}

/** Topics in lists that only lead to the next; long topics go on with ?page=. */
function forum(): HonestSite {
  const lists = 150;
  const topics = lists * 20;
  const topic = (i: number, page: number): string => `${HOST}/viewtopic.php?page=${page}&t=${i}`;
  const pagesOf = (i: number): number => 1 + (i % 5);
  const list = (i: number): string => `${HOST}/viewforum.php?start=${i}`;
  return {
    seeds: [HOME],
    pages: 1 + lists + range(topics).reduce((sum, i) => sum + pagesOf(i), 0),
    answer(url) {
      if (url === HOME) return { links: [list(0)] };
      const value = Number(url.slice(url.lastIndexOf('=') + 1));
      if (url.includes('start=')) {
        const next = value + 1 < lists ? [list(value + 1)] : [];
        return { links: [HOME, ...next, ...range(20, value * 20).map((i) => topic(i, 1))] };
      }
      const page = Number(url.split('page=')[1].split('&')[0]);
      return { links: [HOME, ...(page < pagesOf(value) ? [topic(value, page + 1)] : [])] };
    },
  };
}

/** The same tree for each version; the texts of most pages are those of the version before. */
function documentation(): HonestSite {
  const versions = range(8, 1).map((version) => `v${version}.0`);
  const sections = range(12).map((i) => `section-${i}`);
  const page = (version: string, section: string, i: number): string =>
    `${HOST}/docs/${version}/${section}/topic-${i}.html`;
  return {
    seeds: [HOME],
    pages: 1 + versions.length * sections.length * 25,
    answer(url) {
      if (url === HOME) return { links: versions.map((version) => page(version, sections[0], 0)) };
      const [, , , , version, section, name] = url.split('/');
      const i = Number.parseInt(name.slice(6), 10);
      const changed = textHash(url) % 3 === 0;
      return {
        novelty: version === 'v8.0' || changed ? 'new' : 'near-duplicate',
        links: [
          HOME,
          ...sections.map((other) => page(version, other, 0)),
          ...range(25).map((at) => page(version, section, at)),
          ...versions.map((other) => page(other, section, i)),
        ],
      };
    },
  };
}

/** Institutes, each with a name of its own below the domain. */
function university(): HonestSite {
  const hosts = range(150).map((i) => `https://${['lab', 'dept', 'lib', 'group'][i % 4]}${i}.uni.example.edu/`);
  const main = 'https://www.uni.example.edu/';
  return {
    seeds: [main],
    pages: 1 + hosts.length * 12,
    answer(url) {
      if (url === main) return { links: hosts.slice(0, 25) };
      const origin = url.slice(0, url.indexOf('/', 8) + 1);
      const at = hosts.indexOf(origin);
      const own = range(11).map((i) => `${origin}people/name-${textHash(`${at}${i}`).toString(36)}.html`);
      const friends = url === origin ? [1, 7, 25].map((step) => hosts[(at + step) % hosts.length]) : [];
      return { links: [origin, main, ...own, ...friends] };
    },
  };
}

/** A hundred thousand articles, in lists that lead to the next alone. */
function archive(): HonestSite {
  const articles = 40_000;
  const perList = 50;
  const article = (i: number): string => `${HOST}/news/${textHash(`a${i}`).toString(36)}-story-${i}.html`;
  const list = (i: number): string => `${HOST}/archive/page/${i}/`;
  return {
    seeds: [HOME],
    pages: 1 + articles + articles / perList,
    answer(url) {
      if (url === HOME) return { links: [list(0)] };
      if (!url.includes('/archive/')) return { links: [HOME] };
      const at = Number(url.split('/')[5]);
      const next = at + 1 < articles / perList ? [list(at + 1)] : [];
      return { links: [HOME, ...next, ...range(perList, at * perList).map(article)] };
    },
  };
}

/** Chapter after chapter, each with a way to the next alone. */
function novel(): HonestSite {
  const chapter = (i: number): string => `${HOST}/novel/chapter-${i}.html`;
  return {
    seeds: [HOME],
    pages: 201,
    answer(url) {
      const at = url === HOME ? 0 : Number.parseInt(url.slice(url.lastIndexOf('-') + 1), 10);
      return { links: at < 200 ? [HOME, chapter(at + 1)] : [HOME] };
    },
  };
}

export const HONEST_SITES: Readonly<Record<string, () => HonestSite>> = {
  'a blog of twenty years': blog,
  'a large wiki': () => wiki(quickOrLong(8000, 20_000)),
  'a shop with 20,000 products and 200 facets': shop,
  'a forum with ?page=': forum,
  'documentation in versions': documentation,
  'a university with 150 hosts': university,
  'a novel of 200 chapters': novel,
  'an archive of 40,000 articles': archive,
};
