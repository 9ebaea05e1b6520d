import { HostTable } from '../model/addressing.ts';
import type {
  HostRobots,
  Located,
  ModelLink,
  PageNature,
  Reply,
  WebDescription,
  WebModel,
} from '../model/web-model.ts';
import { canonicalTarget } from '../plan/canonical-target.ts';
import { WebServer, type WebServerOptions } from '../server/web-server.ts';
import { articleHtml, type DemoDocument, type DemoPage, type DemoSite, readDemoSites } from './demo-site.ts';

/** The demo web's own port: the same every time, so that a crawl of it can be taken up again. */
export const DEMO_PORT = 8790;
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;
const TEXT = ['Content-Type', 'text/plain; charset=utf-8'] as const;
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200"><path d="M0 0l320 200M320 0L0 200M160 0v200M0 100h320" stroke="#888"/></svg>\n';

interface PlacedPage {
  readonly host: number;
  readonly page: DemoPage;
  /** The bytes of a document, one character each. */
  readonly body: string;
  readonly links: readonly ModelLink[];
}

/** Five small sites about spiders, for the first crawl without a network. Everything about them is known, as of any web here. */
export class DemoWeb implements WebModel {
  readonly description: WebDescription;
  readonly hosts: HostTable;
  readonly retryAfterMs = 0;
  readonly #sites = readDemoSites();
  readonly #pages: readonly PlacedPage[];
  readonly #byUrl = new Map<string, number>();

  constructor(port: number) {
    this.description = { kind: 'demo', port };
    this.hosts = new HostTable(
      this.#sites.map((site) => `${site.host}.demo.test`),
      this.#sites.map(() => '127.0.0.1'),
      port,
    );
    const all = this.#sites.flatMap((site, host) => site.pages.map((page) => ({ host, page })));
    for (const [id, { host, page }] of all.entries()) this.#byUrl.set(this.#url(host, page.path), id);
    this.#pages = all.map(({ host, page }) => {
      const document = this.#document(host, page);
      const body = document === undefined ? '' : this.#write(host, document);
      return { host, page, body, links: this.#read(host, body) };
    });
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  hostOfPage(page: number): number {
    return this.#pages[page].host;
  }

  target(page: number): string {
    return this.#pages[page].page.path;
  }

  url(page: number): string {
    return this.#url(this.#pages[page].host, this.#pages[page].page.path);
  }

  locate(host: number, target: string): Located {
    if (target === '/robots.txt') return { kind: 'robots', of: host, last: true, target };
    if (target.startsWith('/pictures/') || target === '/site.css') return { kind: 'asset' };
    const id = this.#byUrl.get(this.#url(host, target)) ?? this.#byUrl.get(this.#url(host, canonicalTarget(target)));
    return id === undefined ? { kind: 'unknown', target } : { kind: 'page', id };
  }

  nature(page: number): PageNature {
    const { host, page: described } = this.#pages[page];
    switch (described.kind) {
      case 'missing':
        return { kind: 'error', status: described.status };
      case 'redirect':
        return { kind: 'redirect', to: this.#find(this.#address(described.to)) };
      case 'copy':
        return { ...this.nature(this.#find(this.#url(host, described.of))) };
      case 'document': {
        const robots = described.robots ?? '';
        return { kind: 'page', noindex: robots === 'noindex', nofollow: robots === 'nofollow', document: page };
      }
    }
  }

  links(page: number): readonly ModelLink[] {
    return this.#pages[page].links;
  }

  phantoms(): readonly string[] {
    return [];
  }

  robots(host: number): HostRobots {
    return { verdict: 'rules', groups: this.#sites[host].robots };
  }

  sitemaps(): readonly number[] {
    return [];
  }

  versionAt(): number {
    return 0;
  }

  delayMs(): number {
    return 0;
  }

  bytesPerSecond(): number {
    return 0;
  }

  reply(host: number, located: Located): Reply {
    if (located.kind === 'robots') return { status: 200, headers: TEXT, body: robotsText(this.#sites[host]) };
    if (located.kind === 'asset') return { status: 200, headers: ['Content-Type', 'image/svg+xml'], body: PICTURE };
    if (located.kind !== 'page') return { status: 404, headers: TEXT, body: 'Not found.\n' };
    const { page, body } = this.#pages[located.id];
    if (page.kind === 'missing') return { status: page.status, headers: TEXT, body: 'This page is not here.\n' };
    if (page.kind === 'redirect')
      return { status: page.status, headers: ['Location', this.#address(page.to)], body: '' };
    return { status: 200, headers: HTML, body };
  }

  #url(host: number, path: string): string {
    return this.hosts.origin(host) + path;
  }

  #find(url: string): number {
    const id = this.#byUrl.get(url);
    if (id === undefined) throw new RangeError(`the demo web has no page ${url}`);
    return id;
  }

  /** "@silk/webs/" -> the absolute address. */
  #address(written: string): string {
    const slash = written.indexOf('/');
    return this.#url(
      this.#sites.findIndex((site) => site.host === written.slice(1, slash)),
      written.slice(slash),
    );
  }

  #document(host: number, page: DemoPage): DemoDocument | undefined {
    if (page.kind === 'document') return page;
    if (page.kind !== 'copy') return undefined;
    return this.#sites[host].pages.find((other) => other.kind === 'document' && other.path === page.of) as DemoDocument;
  }

  /** The whole page. Links within a site are written without its address, so that a copy has the same bytes. */
  #write(host: number, document: DemoDocument): string {
    const site = this.#sites[host];
    const navigation = site.navigation.map(([path, label]) => `<li><a href="${path}">${label}</a></li>`).join('');
    const others = this.#sites
      .filter((other) => other !== site)
      .map((other) => `<a href="@${other.host}/">${other.title}</a>`);
    const meta = document.robots === undefined ? '' : `<meta name="robots" content="${document.robots}">\n`;
    const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${meta}<title>${document.title}${document.title === site.title ? '' : ` – ${site.title}`}</title>
<link rel="stylesheet" href="/site.css">
</head>
<body>
<header><p>${site.title}: <em>${site.motto}</em></p><nav><ul>${navigation}</ul></nav></header>
<main>
<article>
<h1>${document.title}</h1>
${articleHtml(document.article)}
</article>
</main>
<footer><p>Our neighbours: ${others.join(' · ')}</p></footer>
</body>
</html>
`;
    const addressed = html.replace(/href="(@[^"]*)"/g, (_, written: string) => {
      return `href="${written.startsWith(`@${site.host}/`) ? written.slice(site.host.length + 1) : this.#address(written)}"`;
    });
    return Buffer.from(addressed, 'utf8').toString('latin1');
  }

  /** The links of a page as written: the markup is our own, so that a pattern is enough. */
  #read(host: number, body: string): ModelLink[] {
    return Array.from(body.matchAll(/<a href="([^"]*)"( rel="nofollow")?>/g), ([, href, rel]) => ({
      to: this.#find(href.startsWith('/') ? this.#url(host, href) : href),
      nofollow: rel !== undefined,
    }));
  }
}

/** Serves the demo web on loopback, at its own port or, where that is taken, at any other. */
export function startDemoWeb(options: WebServerOptions = {}): Promise<WebServer<DemoWeb>> {
  return WebServer.start((port) => new DemoWeb(port), { port: DEMO_PORT, fallbackPort: true, ...options });
}

function robotsText(site: DemoSite): string {
  const groups = site.robots.map((group) => {
    const agents = group.agents.map((agent) => `User-agent: ${agent}`);
    const rules = group.rules.map((rule) => `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}`);
    const delay = group.crawlDelaySeconds === undefined ? [] : [`Crawl-delay: ${group.crawlDelaySeconds}`];
    return [...agents, ...rules, ...delay].join('\n');
  });
  return `# ${site.title}\n${groups.join('\n\n')}\n`;
}
