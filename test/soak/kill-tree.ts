/**
 * A tree of pages over 20 hosts, crawled with default settings and killed: once at each of several instants, then many times.
 * `npm run soak:tree -- --instants 20 --kills 25`. Every page must be stored once, and no host asked before its time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { textOf } from '../crawl/any-host-web.ts';
import { storedPages } from '../crawl/crawl-web.ts';
import { archivedUrls } from '../faults/killed-crawl.ts';
import { killedRun } from './killed-run.ts';

const HOSTS = 20;
const PAGES = 100;
const DELAY_MS = 60;

/** A server for all hosts that notes when each was asked for what. */
class TreeWeb implements AsyncDisposable {
  readonly asked = new Map<string, { readonly at: number; readonly path: string }[]>();
  readonly #server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const path = request.url ?? '/';
    const list = this.asked.get(host) ?? [];
    this.asked.set(host, list);
    list.push({ at: performance.now(), path });
    const [, moved, number] = /^\/(moved|page)\/(\d+)$/.exec(path) ?? (path === '/' ? ['', 'page', '0'] : []);
    if (number === undefined) {
      response.writeHead(404).end();
    } else if (moved === 'moved') {
      response.writeHead(301, { Location: `/page/${number}` }).end();
    } else {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(this.#page(host, Number(number)));
    }
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get requests(): number {
    return [...this.asked.values()].reduce((sum, list) => sum + list.length, 0);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  name(host: number): string {
    return `h${host}.example`;
  }

  get expected(): string[] {
    const page = (host: number, number: number) =>
      `http://${this.name(host)}:${this.port}${number === 0 ? '/' : `/page/${number}`}`;
    return Array.from({ length: HOSTS * PAGES }, (_, at) => page(Math.floor(at / PAGES), at % PAGES));
  }

  /** Names four more: two here, one by a redirect, and the same page of the next host, which brings the others in. */
  #page(host: string, number: number): string {
    const own = Number(/\d+/.exec(host)?.[0]);
    const children = [3 * number + 1, 3 * number + 2].map((child) => `/page/${child}`);
    const links = [...children, `/moved/${3 * number + 3}`].filter((link) => Number(/\d+$/.exec(link)?.[0]) < PAGES);
    const next = `http://${this.name((own + 1) % HOSTS)}:${this.port}${number === 0 ? '/' : `/page/${number}`}`;
    const anchors = [...links, next].map((link) => `<a href="${link}">${textOf(link).slice(0, 20)}</a>`);
    return `<title>${number} of ${host}</title><p>${textOf(`${host} ${number}`)}</p>${anchors.join('\n')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Kills `kills` times, each so long after the first request of its run, then lets the crawl end; says what is wrong. */
async function killedTree(kills: number, killAfterMs: () => number): Promise<string[]> {
  await using web = new TreeWeb();
  await web.start();
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-tree-'));
  const hosts = Array.from({ length: HOSTS }, (_, host) => ['--hosts', `${web.name(host)}=127.0.0.1`]).flat();
  const args = ['crawl', `http://${web.name(0)}:${web.port}/`, '--dir', folder, '--scope', 'any', '--allow-private'];
  args.push('--quiet', '--delay', `${DELAY_MS}ms`, '--delay-factor', '0', ...hosts);
  try {
    let code: number | null = null;
    for (let killed = 0; killed <= kills; killed++)
      code = await killedRun(args, killed < kills ? killAfterMs() : undefined, () => web.requests);
    const stored = new Set(storedPages(folder));
    const missed = web.expected.filter((url) => !stored.has(url));
    const { counts, damage } = await archivedUrls(join(folder, 'archive'));
    const twice = web.expected.filter((url) => (counts.get(url) ?? 0) > 1);
    let gaps = 0;
    for (const requests of web.asked.values())
      for (let at = 1; at < requests.length; at++) if (requests[at].at - requests[at - 1].at < DELAY_MS) gaps++;
    console.log(
      `  ${stored.size} of ${web.expected.length} pages, ${missed.length} missed, ${twice.length} twice, ${gaps} gaps too short, ${web.requests} requests, exit ${code}`,
    );
    return [
      ...(missed.length > 0 ? [`${missed.length} pages missed, such as ${missed[0]}`] : []),
      ...(twice.length > 0 ? [`${twice.length} pages stored twice, such as ${twice[0]}`] : []),
      ...(gaps > 0 ? [`${gaps} gaps too short`] : []),
      ...(code === 0 ? [] : [`the crawl ended with ${code}`]),
      ...damage,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: { instants: { type: 'string', default: '20' }, kills: { type: 'string', default: '25' } },
});
const problems: string[] = [];
const note = (name: string, found: readonly string[]): void => {
  problems.push(...found.map((problem) => `${name}: ${problem}`));
};
for (let second = 1; second <= Number(values.instants); second++) {
  console.log(`one kill ${second} s after the first request`);
  note(`killed after ${second} s`, await killedTree(1, () => second * 1000));
}
if (Number(values.kills) > 0) {
  console.log(`${values.kills} kills`);
  note(`${values.kills} kills`, await killedTree(Number(values.kills), () => 200 + Math.random() * 1000));
}
console.log(problems.length === 0 ? 'passed' : `FAILED\n${problems.join('\n')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
