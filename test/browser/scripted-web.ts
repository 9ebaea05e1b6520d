import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoggedRequest {
  readonly host: string;
  readonly path: string;
  readonly method: string;
  readonly agent: string;
}

/** A page, a script or data, by host and path. */
type Answer = { readonly type: string; readonly body: string; readonly status?: number; readonly headers?: object };

const html = (body: string, title = 'A page'): Answer => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`,
});
const script = (body: string): Answer => ({ type: 'text/javascript', body });
const json = (value: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(value) });

/** Words that no other page has: two pages that said nearly the same would be taken for copies. */
function prose(seed: number, count: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 8;
  };
  const syllable = (): string => 'bdfgklmnprstvz'[next() % 14] + 'aeiou'[next() % 5];
  return Array.from({ length: count }, () => syllable() + syllable() + syllable()).join(' ');
}

/** Pages without a script. */
function plain(path: string, pages: number, seed = 0): Answer | undefined {
  const number = path === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number) || number >= pages) return undefined;
  const links = [number * 2 + 1, number * 2 + 2]
    .filter((next) => next < pages)
    .map((next) => `<li><a href="/page/${next}">page ${next}</a></li>`);
  const text = `${number} ${prose(seed + number, 120)}`;
  return html(`<h1>Page ${number}</h1><p>${text}</p><ul>${links.join('')}</ul>`, `Page ${seed + number}`);
}

/** The same with scripts that change nothing that counts. */
function decorated(path: string, pages: number): Answer | undefined {
  if (path === '/stats.js') return script('document.documentElement.dataset.seen = String(Date.now());');
  const page = plain(path, pages, 5000);
  return page && { ...page, body: page.body.replace('</body>', '<script src="/stats.js"></script></body>') };
}

const PER_LIST = 3;

/** An application: every address is the same shell, and a router shows what belongs to it. */
function application(path: string, count: number): Answer | undefined {
  const [pathname, query = ''] = path.split('?');
  if (pathname === '/app.js')
    return script(`
      const root = document.getElementById('root');
      const show = async () => {
        const item = /^\\/items\\/(\\d+)$/.exec(location.pathname);
        if (item) {
          const data = await (await fetch('/api/item?id=' + item[1])).json();
          root.innerHTML = '<h1>' + data.title + '</h1><p>' + data.text + '</p><a href="/">all</a>';
          document.title = data.title;
          return;
        }
        const from = Number(new URLSearchParams(location.search).get('from') || 0);
        const data = await (await fetch('/api/items?from=' + from)).json();
        root.innerHTML = '<h1>Items</h1><ul>' + data.items.map((i) => '<li><a href="/items/' + i + '">item ' + i + '</a></li>').join('') + '</ul><button id=next>next</button>';
        document.getElementById('next').addEventListener('click', () => {
          if (data.next === undefined) return;
          history.pushState({}, '', '/?from=' + data.next);
          show();
        });
      };
      addEventListener('popstate', show);
      show();`);
  if (pathname === '/api/items') {
    const from = Number(new URLSearchParams(query).get('from') ?? 0);
    const items = Array.from({ length: PER_LIST }, (_, at) => from + at).filter((item) => item < count);
    return json({ items, ...(from + PER_LIST < count ? { next: from + PER_LIST } : {}) });
  }
  if (pathname === '/api/item') {
    const id = Number(new URLSearchParams(query).get('id'));
    return id < count ? json({ title: `Item ${id}`, text: `${id} ${prose(id + 100, 80)}` }) : undefined;
  }
  if (pathname === '/' || /^\/items\/\d+$/.test(pathname))
    return html('<div id="root"></div><script src="/app.js"></script>', 'Loading');
  return undefined;
}

/** What scripts do to links, a page each; and what each leads to. */
export const TRICKS: Readonly<Record<string, readonly string[]>> = {
  late: ['late-1', 'late-2'],
  lazy: ['lazy-1', 'lazy-2', 'lazy-3'],
  scroll: ['scroll-1', 'scroll-2', 'scroll-3', 'scroll-4'],
  redirect: ['redirected'],
  onchange: ['chosen-1', 'chosen-2', 'chosen-3'],
  listened: ['heard-1', 'heard-2'],
  onclick: ['clicked-1', 'clicked-2'],
  router: ['routed-1', 'routed-2'],
  shadow: ['shadow-1', 'shadow-2'],
  opened: ['opened-1'],
  library: ['library-1'],
};

const leafLink = (name: string) => `<a href="/leaf/${name}">${name}</a>`;

const TRICK_PAGES: Readonly<Record<string, string>> = {
  late: `<p>${prose(1, 60)}</p><div id="x"></div><script>setTimeout(() => { x.innerHTML = '${leafLink('late-1')}'; setTimeout(() => { x.innerHTML += '${leafLink('late-2')}'; }, 1500); }, 2000);</script>`,
  lazy: `<p>${prose(2, 60)}</p><div style="height:6000px"></div><div id="x"></div><script>new IntersectionObserver(([e]) => { if (e.isIntersecting && !x.innerHTML) x.innerHTML = '${leafLink('lazy-1')}${leafLink('lazy-2')}${leafLink('lazy-3')}'; }).observe(x);</script>`,
  scroll: `<p>${prose(3, 60)}</p><div id="x"></div><div style="height:4000px"></div><script>let n = 0; addEventListener('scroll', () => { if (n < 4) { n++; const d = document.createElement('div'); d.style.height = '3000px'; d.innerHTML = '<a href="/leaf/scroll-' + n + '">' + n + '</a>'; document.body.append(d); } });</script>`,
  redirect: `<script>location.replace('/leaf/redirected');</script>`,
  onchange: `<p>${prose(4, 60)}</p><select onchange="if (this.value) location.href = this.value"><option value="">choose</option><option value="/leaf/chosen-1">1</option><option value="/leaf/chosen-2">2</option><option value="/leaf/chosen-3">3</option></select>`,
  listened: `<p>${prose(5, 60)}</p><select id="s"><option>choose</option><option>1</option><option>2</option></select><script>s.addEventListener('change', () => { location.href = '/leaf/heard-' + s.selectedIndex; });</script>`,
  onclick: `<p>${prose(6, 60)}</p><button onclick="location.href = '/leaf/clicked-1'">one</button><div id="d">two</div><script>d.addEventListener('click', () => { location.assign('/leaf/clicked-2'); });</script>`,
  router: `<p>${prose(7, 60)}</p><nav id="n"><button>routed-1</button><button>routed-2</button></nav><script>n.addEventListener('click', (e) => { if (e.target.localName === 'button') history.pushState({}, '', '/leaf/' + e.target.textContent); });</script>`,
  shadow: `<p>${prose(8, 60)}</p><x-box></x-box><x-lid></x-lid><script>for (const [name, mode, leaf] of [['x-box', 'open', 'shadow-1'], ['x-lid', 'closed', 'shadow-2']]) customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode }).innerHTML = '<a href="/leaf/' + leaf + '">' + leaf + '</a>'; } });</script>`,
  opened: `<p>${prose(9, 60)}</p><button onclick="window.open('/leaf/' + this.dataset.leaf)" data-leaf="opened-1">open</button>`,
  library: `<p>${prose(10, 60)}</p><div id="x"></div><script src="http://cdn.test:PORT/library.js"></script><script src="http://cdn.test:PORT/private/secret.js"></script>`,
};

function tricks(path: string): Answer | undefined {
  if (path === '/')
    return html(
      `<h1>Tricks</h1><p>${prose(11, 60)}</p>${Object.keys(TRICKS)
        .map((name) => `<a href="/${name}">${name}</a>`)
        .join(' ')}`,
    );
  const leaf = /^\/leaf\/([\w-]+)$/.exec(path)?.[1];
  if (leaf !== undefined)
    return html(`<h1>${leaf}</h1><p>${leaf} ${prose(leaf.length * 31 + leaf.charCodeAt(0), 60)} ${leaf}</p>`, leaf);
  const page = TRICK_PAGES[path.slice(1)];
  return page === undefined ? undefined : html(page, path.slice(1));
}

function library(path: string): Answer | undefined {
  if (path === '/robots.txt') return { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' };
  if (path === '/library.js') return script(`document.getElementById('x').innerHTML = '${leafLink('library-1')}';`);
  return path.startsWith('/private/')
    ? script(`document.body.insertAdjacentHTML('beforeend', '<a href=/leaf/secret>x</a>')`)
    : undefined;
}

/** A small web of several hosts on one server: most of it plain, some built by scripts. */
export class ScriptedWeb implements AsyncDisposable {
  readonly requests: LoggedRequest[] = [];
  readonly #server: Server;
  readonly pages: number;
  readonly items: number;

  private constructor(server: Server, pages: number, items: number) {
    this.#server = server;
    this.pages = pages;
    this.items = items;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  static async start(pages: number, items: number): Promise<ScriptedWeb> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedWeb(server, pages, items);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get hosts(): Record<string, string> {
    const names = ['plain.test', 'decorated.test', 'application.test', 'tricks.test', 'cdn.test'];
    return Object.fromEntries(names.map((name) => [name, '127.0.0.1']));
  }

  get seeds(): string[] {
    return ['plain', 'decorated', 'application', 'tricks'].map((name) => `http://${name}.test:${this.port}/`);
  }

  /** Every page that somebody can come to, by host and path. */
  get truth(): string[] {
    const numbered = Array.from({ length: this.pages }, (_, at) => (at === 0 ? '/' : `/page/${at}`));
    const count = Math.ceil(this.items / PER_LIST);
    const lists = Array.from({ length: count }, (_, at) => (at === 0 ? '/' : `/?from=${at * PER_LIST}`));
    const items = Array.from({ length: this.items }, (_, at) => `/items/${at}`);
    const shown = Object.keys(TRICKS).filter((name) => name !== 'redirect');
    return [
      ...['plain', 'decorated'].flatMap((name) => numbered.map((path) => `${name}.test${path}`)),
      ...[...lists, ...items].map((path) => `application.test${path}`),
      ...['/', ...shown.map((name) => `/${name}`)].map((path) => `tricks.test${path}`),
      ...Object.values(TRICKS).flatMap((leaves) => leaves.map((leaf) => `tricks.test/leaf/${leaf}`)),
    ].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const path = request.url ?? '/';
    const agent = request.headers['user-agent'] ?? '';
    this.requests.push({ host, path, method: request.method ?? '', agent });
    const found = this.#of(host, path);
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('none');
      return;
    }
    const body = found.body.replaceAll('PORT', String(this.port));
    response.writeHead(found.status ?? 200, { 'content-type': found.type, ...found.headers }).end(body);
  }

  #of(host: string, path: string): Answer | undefined {
    switch (host) {
      case 'plain.test':
        return plain(path, this.pages);
      case 'decorated.test':
        return decorated(path, this.pages);
      case 'application.test':
        return application(path, this.items);
      case 'tricks.test':
        return tricks(path);
      case 'cdn.test':
        return library(path);
      default:
        return undefined;
    }
  }
}
