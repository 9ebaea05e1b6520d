import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PLACES = ['Athens', 'Berlin', 'Cairo', 'Delhi', 'Espoo', 'Fez', 'Graz', 'Hanoi'];
const SHOWN = 20;

/** A catalogue of records that no link leads to: only its search form does, and shows twenty at most. */
export class FormCatalogue implements AsyncDisposable {
  /** Paths with their queries, in order. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #records: readonly { readonly place: string; readonly words: readonly string[] }[];

  private constructor(records: number) {
    let state = 7;
    const random = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    // Frequent words and rare ones, as in any text.
    const word = (): string => `wort${Math.floor(4000 ** random()).toString(26)}`;
    this.#records = Array.from({ length: records }, () => ({
      place: PLACES[Math.floor(random() * PLACES.length)],
      words: Array.from({ length: 15 }, word),
    }));
    this.#server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      const body = this.#page(new URL(request.url ?? '', 'http://a/'));
      response
        .writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(body ?? '');
    });
  }

  static async start(records: number): Promise<FormCatalogue> {
    const catalogue = new FormCatalogue(records);
    await new Promise<void>((resolve) => catalogue.#server.listen(0, '127.0.0.1', resolve));
    return catalogue;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get questions(): readonly string[] {
    return this.asked.filter((path) => path.startsWith('/search?'));
  }

  get records(): number {
    return new Set(this.asked.filter((path) => path.startsWith('/record/'))).size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #page({ pathname, searchParams }: URL): string | undefined {
    const elsewhere = `<form action="http://${this.host.replace('127.0.0.1', 'localhost')}/elsewhere"><input name=w></form>`;
    if (pathname === '/')
      return page('Catalogue', `<p>Records such as ${this.#records[0].words.join(' ')}.</p>${elsewhere}`);
    if (pathname === '/search') return this.#results(searchParams);
    const record = this.#records[Number(/^\/record\/(\d+)$/.exec(pathname)?.[1])];
    return record && page(`Record ${pathname}`, `<p>In ${record.place}: ${record.words.join(' ')}.</p>`);
  }

  #results(query: URLSearchParams): string {
    const [word, place] = [query.get('q') ?? '', query.get('place') ?? ''];
    const found = [...this.#records.entries()].filter(
      ([, record]) =>
        (word !== '' || place !== '') &&
        (word === '' || record.words.includes(word)) &&
        (place === '' || record.place === place),
    );
    const items = found
      .slice(0, SHOWN)
      .map(([at, { words }]) => `<li><a href="/record/${at}">${words[0]} ${words[1]}</a>`);
    return page('Results', `<ul>${items.join('')}</ul><p>${found.length} found.`);
  }
}

function page(title: string, content: string): string {
  const options = PLACES.map((place) => `<option>${place}`).join('');
  return `<!doctype html><title>${title}</title><h1>${title}</h1>
    <form action="/search"><input name="q"><select name="place"><option value="">Anywhere${options}</select></form>
    <form action="/subscribe"><input type="email" name="mail"></form>
    <form action="/order" method="post"><input name="amount"></form>${content}`;
}
