import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reachingPage, reachingPaths } from './reaching-pages.ts';

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
function decorated(path: string, pages: number, seed = 0): Answer | undefined {
  if (path === '/stats.js') return script('document.documentElement.dataset.seen = String(Date.now());');
  const page = plain(path, pages, seed + 5000);
  return page && { ...page, body: page.body.replace('</body>', '<script src="/stats.js"></script></body>') };
}

const PER_LIST = 3;
const NOT_PRIVATE = 'User-agent: *\nDisallow: /private/\n';

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
  late: `<p>PROSE</p><div id="x"></div><script>setTimeout(() => { x.innerHTML = '${leafLink('late-1')}'; setTimeout(() => { x.innerHTML += '${leafLink('late-2')}'; }, 1500); }, 2000);</script>`,
  lazy: `<p>PROSE</p><div style="height:6000px"></div><div id="x"></div><script>new IntersectionObserver(([e]) => { if (e.isIntersecting && !x.innerHTML) x.innerHTML = '${leafLink('lazy-1')}${leafLink('lazy-2')}${leafLink('lazy-3')}'; }).observe(x);</script>`,
  scroll: `<p>PROSE</p><div id="x"></div><div style="height:4000px"></div><script>let n = 0; addEventListener('scroll', () => { if (n < 4) { n++; const d = document.createElement('div'); d.style.height = '3000px'; d.innerHTML = '<a href="/leaf/scroll-' + n + '">' + n + '</a>'; document.body.append(d); } });</script>`,
  redirect: `<script>location.replace('/leaf/redirected');</script>`,
  onchange: `<p>PROSE</p><select onchange="if (this.value) location.href = this.value"><option value="">choose</option><option value="/leaf/chosen-1">1</option><option value="/leaf/chosen-2">2</option><option value="/leaf/chosen-3">3</option></select>`,
  listened: `<p>PROSE</p><select id="s"><option>choose</option><option>1</option><option>2</option></select><script>s.addEventListener('change', () => { location.href = '/leaf/heard-' + s.selectedIndex; });</script>`,
  onclick: `<p>PROSE</p><button onclick="location.href = '/leaf/clicked-1'">one</button><div id="d">two</div><script>d.addEventListener('click', () => { location.assign('/leaf/clicked-2'); });</script>`,
  router: `<p>PROSE</p><nav id="n"><button>routed-1</button><button>routed-2</button></nav><script>n.addEventListener('click', (e) => { if (e.target.localName === 'button') history.pushState({}, '', '/leaf/' + e.target.textContent); });</script>`,
  shadow: `<p>PROSE</p><x-box></x-box><x-lid></x-lid><script>for (const [name, mode, leaf] of [['x-box', 'open', 'shadow-1'], ['x-lid', 'closed', 'shadow-2']]) customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({ mode }).innerHTML = '<a href="/leaf/' + leaf + '">' + leaf + '</a>'; } });</script>`,
  opened: `<p>PROSE</p><button onclick="window.open('/leaf/' + this.dataset.leaf)" data-leaf="opened-1">open</button>`,
  library: `<p>PROSE</p><div id="x" data-leaves="/leaf/"></div><script src="http://cdn.test:PORT/library.js"></script><script src="http://cdn.test:PORT/private/secret.js"></script>`,
};

/** Each trick is there `copies` times: the first as `/late` with `/leaf/late-1`, the others as `/late/1` with `/leaf/1/late-1`. */
function tricks(path: string, copies: number): Answer | undefined {
  if (path === '/') return html(`<h1>Tricks</h1><p>${prose(11, 60)}</p>${trickPaths(copies).map(linkTo).join(' ')}`);
  const leaf = /^\/leaf\/((?:\d+\/)?[\w-]+)$/.exec(path)?.[1];
  if (leaf !== undefined) return html(`<h1>${leaf}</h1><p>${leaf} ${prose(seedOf(leaf), 60)} ${leaf}</p>`, leaf);
  const [, name, copy = '0'] = /^\/([a-z]+)(?:\/(\d+))?$/.exec(path) ?? [];
  const page = TRICK_PAGES[name];
  if (page === undefined || Number(copy) >= copies) return undefined;
  const own = page.replace('PROSE', prose(seedOf(path), 60));
  return html(copy === '0' ? own : own.replaceAll('/leaf/', `/leaf/${copy}/`), `${name} ${copy}`);
}

function trickPaths(copies: number): string[] {
  return Array.from({ length: copies }, (_, copy) =>
    Object.keys(TRICKS).map((name) => (copy === 0 ? `/${name}` : `/${name}/${copy}`)),
  ).flat();
}

function leafPaths(copies: number): string[] {
  return Array.from({ length: copies }, (_, copy) =>
    Object.values(TRICKS).flatMap((leaves) =>
      leaves.map((leaf) => (copy === 0 ? `/leaf/${leaf}` : `/leaf/${copy}/${leaf}`)),
    ),
  ).flat();
}

const linkTo = (path: string): string => `<a href="${path}">${path.slice(1)}</a>`;

function seedOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, 7) % 1_000_003;
}

function library(path: string): Answer | undefined {
  if (path === '/robots.txt') return { type: 'text/plain', body: NOT_PRIVATE };
  if (path === '/library.js')
    return script(
      `const x = document.getElementById('x'); x.innerHTML = '<a href="' + x.dataset.leaves + 'library-1">library-1</a>';`,
    );
  return path.startsWith('/private/')
    ? script(`document.body.insertAdjacentHTML('beforeend', '<a href=/leaf/secret>x</a>')`)
    : undefined;
}

/** Pages that share one bundle: lists are filled by it, articles are left as they are. */
function bundled(path: string, pages: number): Answer | undefined {
  if (path === '/bundle.js')
    return script(`
      const list = document.querySelector('[data-list]');
      if (list) fetch('/api/list?of=' + list.dataset.list).then((answer) => answer.json()).then((articles) => {
        list.innerHTML = articles.map((i) => '<li><a href="/article/' + i + '">article ' + i + '</a></li>').join('');
      });`);
  const [, number] = /^\/(?:list\/|article\/|api\/list\?of=)(\d+)$/.exec(path) ?? [];
  const count = Math.ceil(pages / PER_BUNDLED_LIST);
  if (path.startsWith('/api/'))
    return json(
      Array.from({ length: PER_BUNDLED_LIST }, (_, at) => Number(number) * PER_BUNDLED_LIST + at).filter(
        (it) => it < pages,
      ),
    );
  const bundle = '<script src="/bundle.js"></script>';
  if (path === '/')
    return html(
      `<p>${prose(7001, 60)}</p>${Array.from({ length: count }, (_, at) => linkTo(`/list/${at}`)).join(' ')}${bundle}`,
    );
  if (number === undefined || Number(number) >= (path.startsWith('/list/') ? count : pages)) return undefined;
  const text = `<p>${path} ${prose(seedOf(path), 100)}</p>`;
  return html(path.startsWith('/list/') ? `${text}<ul data-list="${number}"></ul>${bundle}` : text + bundle, path);
}

const PER_BUNDLED_LIST = 10;

export interface ScriptedWebSize {
  /** Of each host with numbered pages. */
  readonly pages: number;
  /** Of the application. */
  readonly items: number;
  /** Of each trick. */
  readonly copies?: number;
  /** Hosts of plain pages, of pages with idle scripts, and articles of the host with one bundle. */
  readonly plainHosts?: number;
  readonly decoratedHosts?: number;
  readonly articles?: number;
  /** Copies of each page that reaches for what it must not, and where that is. */
  readonly reaching?: { readonly copies: number; readonly address: string; readonly port: number };
}

/** A web of several hosts on one server: most of it plain, some built by scripts. */
export class ScriptedWeb implements AsyncDisposable {
  readonly requests: LoggedRequest[] = [];
  readonly #server: Server;
  readonly #size: ScriptedWebSize;

  private constructor(server: Server, size: ScriptedWebSize) {
    this.#server = server;
    this.#size = size;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  static async start(size: ScriptedWebSize): Promise<ScriptedWeb> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedWeb(server, size);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get hosts(): Record<string, string> {
    const { reaching } = this.#size;
    const further = reaching === undefined ? ['cdn.test'] : ['cdn.test', 'outside.test'];
    return {
      ...Object.fromEntries([...this.#names, ...further].map((name) => [name, '127.0.0.1'])),
      ...(reaching === undefined ? {} : { 'rebound.test': reaching.address }),
    };
  }

  /** Plain, decorated, application, tricks; then those that not every web has. */
  get seeds(): string[] {
    return this.#names.map((name) => `http://${name}:${this.port}/`);
  }

  /** Every page that somebody can come to, by host and path. */
  get truth(): string[] {
    const { pages, items, copies = 1, articles = 0, reaching } = this.#size;
    const numbered = Array.from({ length: pages }, (_, at) => (at === 0 ? '/' : `/page/${at}`));
    const lists = steps(items, PER_LIST).map((from) => (from === 0 ? '/' : `/?from=${from}`));
    const shown = trickPaths(copies).filter((path) => !path.startsWith('/redirect'));
    const bundle = [
      ...['/', ...steps(articles, PER_BUNDLED_LIST).map((from) => `/list/${from / PER_BUNDLED_LIST}`)],
      ...steps(articles, 1).map((at) => `/article/${at}`),
    ];
    return [
      ...this.#numberedHosts.flatMap((name) => numbered.map((path) => name + path)),
      ...[...lists, ...steps(items, 1).map((at) => `/items/${at}`)].map((path) => `application.test${path}`),
      ...['/', ...shown, ...leafPaths(copies)].map((path) => `tricks.test${path}`),
      ...(articles === 0 ? [] : bundle.map((path) => `bundled.test${path}`)),
      ...(reaching === undefined ? [] : ['/', ...reachingPaths(reaching.copies)].map((path) => `reaching.test${path}`)),
    ].sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #numberedHosts(): string[] {
    const { plainHosts = 1, decoratedHosts = 1 } = this.#size;
    return [...numberedNames('plain', plainHosts), ...numberedNames('decorated', decoratedHosts)];
  }

  get #names(): string[] {
    const { articles = 0, reaching } = this.#size;
    return [
      ...[...this.#numberedHosts, 'application.test', 'tricks.test'],
      ...(articles === 0 ? [] : ['bundled.test']),
      ...(reaching === undefined ? [] : ['reaching.test']),
    ];
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
    const { address, port } = this.#size.reaching ?? { address: '', port: 0 };
    const body = found.body
      .replaceAll('SECRET_PORT', String(port))
      .replaceAll('SECRET', `${address}:${port}`)
      .replaceAll('PORT', String(this.port));
    response.writeHead(found.status ?? 200, { 'content-type': found.type, ...found.headers }).end(body);
  }

  #of(host: string, path: string): Answer | undefined {
    const { pages, items, copies = 1, articles = 0, reaching } = this.#size;
    const [, name, number] = /^([a-z]+)(\d*)\.test$/.exec(host) ?? [];
    switch (name) {
      case 'plain':
        return plain(path, pages, Number(number) * 20_000);
      case 'decorated':
        return decorated(path, pages, Number(number) * 20_000);
      case 'application':
        return application(path, items);
      case 'tricks':
        return tricks(path, copies);
      case 'bundled':
        return bundled(path, articles);
      case 'reaching':
        return reaching === undefined ? undefined : reachingAnswer(path, reaching.copies);
      case 'cdn':
        return library(path);
      default:
        return undefined;
    }
  }
}

function numberedNames(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}${at === 0 ? '' : at}.test`);
}

function steps(count: number, step: number): number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

function reachingAnswer(path: string, copies: number): Answer | undefined {
  if (path === '/robots.txt') return { type: 'text/plain', body: NOT_PRIVATE };
  const body = reachingPage(path, copies, (seed) => prose(seed, 60));
  return body === undefined ? undefined : html(body, path);
}
