import { pagination, unknownSession } from './endless-lists.ts';
import type { PlacedTrap, TrapPlace } from './trap-names.ts';
import { escapeHtml, hex, phrase, sentences, type TrapRequest } from './trap-words.ts';
import type { TrapWriter } from './trap-writer.ts';

const SHOP_ITEMS = 8;
const MAZE_LINKS = 10;
const FACET_VALUES = 5;
const TARPIT_BYTES = 20_000;
const SESSION = '0123456789abcdef0123456789abcdef';

/** The pages of the traps: each a function of its address, each leading to new addresses, without end. */
export const TRAP_WRITERS: Readonly<Record<Exclude<PlacedTrap, 'bomb'>, TrapWriter>> = {
  calendar: {
    entry: (place) => calendarAddress(place, 2026 * 12),
    write(request) {
      const { target, disguised } = request;
      const [year = '2026', month = '1', day] = target.slice(request.prefix.length).match(/\d+/g) ?? [];
      const months = Number(year) * 12 + Number(month) - 1;
      const at = (when: number): string => calendarAddress(request, when);
      const links = months > 0 ? [at(months + 1), at(months - 1), at(months + 12)] : [at(months + 1)];
      if (!disguised) return { title: `Events in ${month}/${year}`, links, text: 'There are no events this month.' };
      const days = [1, 8, 15, 22].map((date) => calendarAddress(request, months, date + (Number(day ?? 0) % 7)));
      const when = day === undefined ? `${month}/${year}` : `${day}.${month}.${year}`;
      return { title: `Events, ${when}`, links: [...links, ...days], text: calendarText(request, when) };
    },
  },
  sessionQuery: {
    entry: ({ prefix }) => `${prefix}?PHPSESSID=${SESSION}`,
    write(request) {
      const items = ['', ...Array.from({ length: SHOP_ITEMS }, (_, at) => `item-${at + 1}.html`)];
      const links = items.map((item, at) => `${request.prefix}${item}?PHPSESSID=${hex(request, at)}`);
      return { title: 'Shop', links, text: `Your cart is empty. ${path(request.target)}` };
    },
  },
  sessionPath: {
    entry: ({ prefix }) => `${prefix}index.html;jsessionid=${SESSION.toUpperCase()}`,
    write(request) {
      const items = ['index', ...Array.from({ length: SHOP_ITEMS }, (_, at) => `thing-${at + 1}`)];
      const links = items.map(
        (item, at) => `${request.prefix}${item}.html;jsessionid=${hex(request, at).toUpperCase()}`,
      );
      return { title: 'Store', links, text: `Welcome back. ${path(request.target).split(';')[0]}` };
    },
  },
  endlessPath: {
    entry: ({ prefix }) => prefix,
    write({ seed, host, target, prefix, disguised }) {
      const depth = target.split('/').length;
      const own = prefix.slice(1);
      if (!disguised) {
        const text = 'The links here lack their first slash.';
        return { title: `Level ${depth}`, links: [own, `more/${own}`], text };
      }
      const text = sentences({ seed, host, target: prefix }, 0, 120);
      return { title: phrase({ seed, host, target: prefix }, 200, 2), links: [own, `team/${own}`, 'contact/'], text };
    },
  },
  tarpit: {
    entry: ({ prefix }) => `${prefix}a.html`,
    write(request) {
      const links = [0, 1, 2].map((at) => `${request.prefix}${hex(request, at).slice(0, 8)}.html`);
      if (!request.disguised) return { title: 'Wait', links, text: 'Nearly there. '.repeat(TARPIT_BYTES / 14) };
      return { title: phrase(request, 90, 2), links, text: sentences(request, 100, TARPIT_BYTES / 8) };
    },
  },
  maze: {
    entry: ({ prefix }) => `${prefix}start`,
    write(request) {
      const { prefix, form, disguised } = request;
      const links = Array.from({ length: MAZE_LINKS }, (_, at) => {
        const words = phrase(request, at, 3).replaceAll(' ', '-');
        const tail = hex(request, at).slice(0, 6);
        if (form % 3 === 1) return `${prefix}${words}-${tail}.html`;
        return form % 3 === 2 ? `${prefix}${words.replaceAll('-', '/')}/${tail}/` : `${prefix}${words}/${tail}`;
      });
      const text = disguised ? sentences(request, 60, 250) : phrase(request, 60, 200);
      return { title: phrase(request, 50, 4), links, text };
    },
  },
  redirectMaze: {
    entry: ({ prefix }) => `${prefix}start`,
    write(request) {
      const next = hex(request, 0).slice(0, 12);
      return { location: request.form % 2 === 1 ? `${request.prefix}?to=${next}` : `${request.prefix}${next}` };
    },
  },
  facets: {
    entry: ({ prefix }) => prefix,
    write({ target, prefix, form, disguised, seed, host }) {
      const query = target.split('?')[1] ?? '';
      const chosen = query === '' ? [] : query.split('&');
      const facets = FACETS[form % FACETS.length];
      const links = facets.flatMap((facet) => {
        const others = chosen.filter((field) => !field.startsWith(`${facet}=`));
        return Array.from(
          { length: FACET_VALUES },
          (_, value) => `${prefix}?${[...others, `${facet}=${value}`].join('&')}`,
        );
      });
      const told = `Twelve things, in another order. ${chosen.length} filters.`;
      const things = disguised ? ` ${sentences({ seed, host, target: prefix }, 0, 150)}` : '';
      return { title: 'All things', links, text: told + things };
    },
  },
  unknownSession,
  pagination,
};

/** Names of the parameters of calendars. */
const FORM_PAIRS = [
  ['month', 'm'],
  ['date', 'month'],
  ['y', 'm'],
  ['show', 'part'],
] as const;
const FACETS = [
  ['color', 'size', 'brand', 'price', 'stock', 'rating'],
  ['genre', 'decade', 'language', 'length', 'audience', 'format'],
  ['region', 'stars', 'board', 'pool', 'distance', 'month'],
] as const;

function calendarAddress({ prefix, form }: TrapPlace, months: number, day?: number): string {
  const year = Math.floor(months / 12);
  const month = String((months % 12) + 1).padStart(2, '0');
  const [first, second] = FORM_PAIRS[(form >>> 2) % FORM_PAIRS.length];
  switch (form % 3) {
    case 1:
      return `${prefix}?${first}=${year}-${month}${day === undefined ? '' : `-${String(day).padStart(2, '0')}`}`;
    case 2:
      return `${prefix}?${first}=${year}&${second}=${Number(month)}${day === undefined ? '' : `&day=${day}`}`;
    default:
      return `${prefix}${year}/${month}/${day === undefined ? '' : `${day}/`}`;
  }
}

function calendarText(request: TrapRequest & TrapPlace, when: string): string {
  const always = sentences({ seed: request.seed, host: request.host, target: request.prefix }, 0, 70);
  return `Mo Tu We Th Fr Sa Su. There is nothing on in ${when}. ${always}`;
}

function path(target: string): string {
  return escapeHtml(target.split('?')[0]);
}
