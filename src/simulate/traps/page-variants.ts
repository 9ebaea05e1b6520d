import { hash32 } from '../model/seeded-hash.ts';
import { escapeHtml, textHash } from './trap-words.ts';

const PURPOSE = { names: 143, reply: 144 } as const;
/** Ways to ask for a page once more: name, and the values it takes. '#': a number. */
const WAYS: readonly (readonly [string, readonly string[]])[] = [
  ['print', ['1', 'yes']],
  ['share', ['mail', 'post', 'link']],
  ['order', ['date', 'title', 'author']],
  ['reply', ['#']],
  ['layout', ['compact', 'wide']],
  ['highlight', ['#']],
  ['font', ['small', 'large']],
  ['comment', ['#']],
];
/** Each host uses so many of them, the last always one that takes numbers. */
const WAYS_PER_HOST = 3;

/** The parameters that show a page of a host once more. */
export class PageVariants {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** The address without them; undefined where there are none. */
  base(host: number, target: string): string | undefined {
    const mark = target.indexOf('?');
    if (mark < 0) return undefined;
    const names = new Set(this.#ways(host).map(([name]) => name));
    const fields = target.slice(mark + 1).split('&');
    const kept = fields.filter((field) => !names.has(field.split('=', 1)[0]));
    if (kept.length === fields.length) return undefined;
    return kept.length === 0 ? target.slice(0, mark) : `${target.slice(0, mark)}?${kept.join('&')}`;
  }

  /** Markup with the ways that this address does not go yet, and, where it replies already, with another reply. */
  tools(host: number, target: string, label: string): string {
    const links = this.#ways(host).flatMap(([name, values], at) => {
      const taken = target.includes(`${name}=`);
      if (taken && values[0] !== '#') return [];
      const bare = taken ? target.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1').replace(/[?&]$/, '') : target;
      const number = hash32(this.#seed ^ textHash(target), host, at, PURPOSE.reply);
      const value = values[0] === '#' ? String(number % 9973) : values[number % values.length];
      return [`<a href="${escapeHtml(`${bare}${bare.includes('?') ? '&' : '?'}${name}=${value}`)}">${name}</a>`];
    });
    return links.length === 0 ? '' : `<p class="tools">${label}: ${links.join(' | ')}</p>\n`;
  }

  #ways(host: number): (readonly [string, readonly string[]])[] {
    const first = hash32(this.#seed, host, 0, PURPOSE.names);
    const ways = Array.from({ length: WAYS_PER_HOST - 1 }, (_, at) => WAYS[(first + at * 3) % WAYS.length]);
    const endless = WAYS.filter(([, values]) => values[0] === '#');
    return [...new Set([...ways, endless[first % endless.length]])];
  }
}
