import type { TrapPlace } from './trap-names.ts';
import { hex, phrase, sentences } from './trap-words.ts';
import type { TrapWriter } from './trap-writer.ts';

const ITEMS = 8;
const LIST_LENGTH = 10;
/** Names that no list of session parameters has; an empty one puts the id into the path. */
const SESSION_NAMES = ['visit', 'tk', '', 'basketref', 'u', 'state'] as const;

/** The same few pages for every visitor id, and each link with another id. */
export const unknownSession: TrapWriter = {
  entry: (place) => sessionAddress(place, 'index', 'f00d5eed1234abcd'),
  write(request) {
    const item = /([a-z]+(?:-\d+)?)\.html/.exec(request.target)?.[1] ?? 'index';
    const items = ['index', ...Array.from({ length: ITEMS }, (_, at) => `offer-${at + 1}`)];
    const links = items.map((name, at) => sessionAddress(request, name, hex(request, at).slice(0, 16)));
    const about = { seed: request.seed, host: request.host, target: request.prefix + item };
    return { title: phrase(about, 0, 3), links, text: sentences(about, 10, 90) };
  },
};

/** A list that ends nowhere: each further number shows the first page again or, on some hosts, an empty one. */
export const pagination: TrapWriter = {
  entry: (place) => listAddress(place, 1),
  write(request) {
    const number = Number(/\d+/.exec(request.target.slice(request.prefix.length))?.[0] ?? 1);
    const page = request.form % 3 === 2 ? Math.floor(number / LIST_LENGTH) + 1 : number;
    const near = [page + 1, page + 2, page + 3, page + 10, page + 100].map((to) => listAddress(request, to));
    const links = page > 1 ? [listAddress(request, page - 1), ...near] : near;
    const list = { seed: request.seed, host: request.host, target: request.prefix };
    const empty = (request.form & 8) !== 0 && page > 3;
    const text = empty
      ? 'No entries on this page.'
      : Array.from({ length: LIST_LENGTH }, (_, at) => sentences(list, at * 20, 16)).join('<br>\n');
    return { title: `${phrase(list, 300, 2)}, page ${page}`, links, text };
  },
};

function sessionAddress({ prefix, form }: TrapPlace, item: string, id: string): string {
  const name = SESSION_NAMES[form % SESSION_NAMES.length];
  return name === '' ? `${prefix}v-${id}/${item}.html` : `${prefix}${item}.html?${name}=${id}`;
}

function listAddress({ prefix, form }: TrapPlace, page: number): string {
  if (form % 3 === 1) return `${prefix}page/${page}/`;
  return form % 3 === 2 ? `${prefix}?start=${(page - 1) * LIST_LENGTH}` : `${prefix}?page=${page}`;
}
