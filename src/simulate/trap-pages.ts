import { hash32 } from './seeded-hash.ts';
import type { TrapKind } from './web-spec.ts';
import { WORDS } from './word-lists.ts';

export interface TrapRequest {
  readonly seed: number;
  readonly host: number;
  /** Path and query as sent. */
  readonly target: string;
}

export type TrapAnswer =
  | { readonly title: string; readonly links: readonly string[]; readonly text: string }
  | { readonly location: string };

/** Traps that are told by the path; the others are told by the name of the host, or by what they send. */
export type PathTrap = Exclude<TrapKind, 'endlessSubdomains' | 'bomb'>;

interface TrapWriter {
  /** What its addresses begin with. */
  readonly prefix: string;
  /** The first of them. */
  readonly entry: string;
  write(request: TrapRequest): TrapAnswer;
}

const PURPOSE = 140;
const SHOP_ITEMS = 8;
const MAZE_LINKS = 10;
const FACETS = ['color', 'size', 'brand', 'price', 'stock', 'rating'] as const;
const FACET_VALUES = 5;
const TARPIT_BYTES = 20_000;

/**
 * The pages of the traps. Each answer is a function of the address, and each leads to addresses that were not there
 * before: a crawler that asks for all of them never ends.
 */
export const TRAP_WRITERS: Readonly<Record<PathTrap, TrapWriter>> = {
  calendar: {
    prefix: '/calendar/',
    entry: '/calendar/2026/01/',
    write({ target }) {
      const [, year, month] = /^\/calendar\/(\d+)\/(\d+)/.exec(target) ?? ['', '2026', '1'];
      const months = Number(year) * 12 + Number(month) - 1;
      const at = (when: number): string =>
        `/calendar/${Math.floor(when / 12)}/${String((when % 12) + 1).padStart(2, '0')}/`;
      const links = months > 0 ? [at(months + 1), at(months - 1), at(months + 12)] : [at(months + 1)];
      return { title: `Events in ${month}/${year}`, links, text: 'There are no events this month.' };
    },
  },
  sessionQuery: {
    prefix: '/shop/',
    entry: '/shop/?PHPSESSID=0123456789abcdef0123456789abcdef',
    write(request) {
      const items = ['', ...Array.from({ length: SHOP_ITEMS }, (_, at) => `item-${at + 1}.html`)];
      const links = items.map((item, at) => `/shop/${item}?PHPSESSID=${hex(request, at)}`);
      return { title: 'Shop', links, text: `Your cart is empty. ${path(request.target)}` };
    },
  },
  sessionPath: {
    prefix: '/store/',
    entry: '/store/index.html;jsessionid=0123456789ABCDEF0123456789ABCDEF',
    write(request) {
      const items = ['index', ...Array.from({ length: SHOP_ITEMS }, (_, at) => `thing-${at + 1}`)];
      const links = items.map((item, at) => `/store/${item}.html;jsessionid=${hex(request, at).toUpperCase()}`);
      return { title: 'Store', links, text: `Welcome back. ${path(request.target).split(';')[0]}` };
    },
  },
  endlessPath: {
    prefix: '/loop/',
    entry: '/loop/',
    write({ target }) {
      const depth = target.split('/').length;
      return {
        title: `Level ${depth}`,
        links: ['loop/', 'more/loop/'],
        text: 'The links here lack their first slash.',
      };
    },
  },
  tarpit: {
    prefix: '/pit/',
    entry: '/pit/a.html',
    write(request) {
      const links = [0, 1, 2].map((at) => `/pit/${hex(request, at).slice(0, 8)}.html`);
      return { title: 'Wait', links, text: 'Nearly there. '.repeat(TARPIT_BYTES / 14) };
    },
  },
  maze: {
    prefix: '/maze/',
    entry: '/maze/start',
    write(request) {
      const links = Array.from(
        { length: MAZE_LINKS },
        (_, at) => `/maze/${phrase(request, at, 3).replaceAll(' ', '-')}/${hex(request, at).slice(0, 6)}`,
      );
      return { title: phrase(request, 50, 4), links, text: phrase(request, 60, 200) };
    },
  },
  redirectMaze: {
    prefix: '/go/',
    entry: '/go/start',
    write: (request) => ({ location: `/go/${hex(request, 0).slice(0, 12)}` }),
  },
  facets: {
    prefix: '/things',
    entry: '/things',
    write({ target }) {
      const query = target.split('?')[1] ?? '';
      const chosen = query === '' ? [] : query.split('&');
      const links = FACETS.flatMap((facet) => {
        const others = chosen.filter((field) => !field.startsWith(`${facet}=`));
        return Array.from(
          { length: FACET_VALUES },
          (_, value) => `/things?${[...others, `${facet}=${value}`].join('&')}`,
        );
      });
      return { title: 'All things', links, text: `Twelve things, in another order. ${chosen.length} filters.` };
    },
  },
};

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function path(target: string): string {
  return escapeHtml(target.split('?')[0]);
}

/** 32 hexadecimal digits that follow from the address, so that each step leads to a new one. */
function hex({ seed, host, target }: TrapRequest, salt: number): string {
  const base = textHash(target);
  return [0, 1, 2, 3]
    .map((word) =>
      hash32(seed ^ base, host, salt * 4 + word, PURPOSE)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}

function phrase({ seed, host, target }: TrapRequest, salt: number, count: number): string {
  const base = textHash(target);
  return Array.from(
    { length: count },
    (_, at) => WORDS[hash32(seed ^ base, host, salt + at, PURPOSE) % WORDS.length],
  ).join(' ');
}

function textHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) + 0x9e3779b9;
  return hash >>> 0;
}
