/**
 * The least that a crawl for links alone can cost in Node.js with an archive: each part that none can do without, by itself, in a process
 * of its own, over the same pages; beside them a bare loop (node:http, htmlparser2, a Set, bodies in one file), which is no crawler.
 *   BENCH_PEERS=NODE_MODULES npx node bench/links-bound.ts FOLDER_OF_HTML [--pages 3000] [--rounds 3]
 * BENCH_PEERS: a node_modules folder with htmlparser2; without it the bare loop is left out. Counted is the processor time of all threads of a
 * process from the first page to the last, compiling and collecting included; loading modules and pages is not. Rounds take turns; the least
 * of each part counts, since what else the machine does can only add to it.
 * The start is that of a crawl whose only seed nobody serves, shared out among 10,000 pages.
 */
import { fork, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, openSync, rmSync, writevSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { FastDeflate } from '../src/archive/gzip/fast-deflate.ts';
import { LearntCode } from '../src/archive/gzip/learnt-code.ts';
import { fingerprint } from '../src/base/fingerprint.ts';
import { SeenSet } from '../src/frontier/seen-set.ts';
import { createResolver } from '../src/url/resolver.ts';
import { defaultUrlOptions } from '../src/url/url-options.ts';
import { htmlBodies } from './harness/html-bodies.ts';
import { inChild } from './harness/in-child.ts';
import { peerPackage } from './harness/peer-packages.ts';

interface PartOptions {
  readonly part: string;
  readonly pages: number;
  readonly html: string;
  readonly port: number;
}

type Work = (bodies: readonly Buffer[], options: PartOptions, folder: string) => Promise<void> | void;

const CONNECTIONS = 50;
/** Pages of a start. */
const CRAWL = 10_000;
/** Settled in one transaction. */
const BATCH = 16;
const BARE_LOOP = 'bare loop';

/** What every crawler has to do, by the cheapest way that is known here. */
const PARTS: Readonly<Record<string, Work>> = {
  'sockets, node:net alone': (_, options) => sockets(options),
  'SHA-1 of bodies': (bodies) => {
    for (const body of bodies) hash('sha1', body, 'binary');
  },
  'gzip of bodies, our encoder': (bodies) => {
    const encoder = new FastDeflate();
    const code = new LearntCode();
    for (const body of bodies) {
      encoder.clear();
      encoder.deflate([body], code, true);
    }
  },
  'finding href by indexOf, nothing else of HTML': (bodies) => {
    for (const body of bodies) hrefsOf(body);
  },
  'the same, made canonical, looked up in the set of a crawl': (bodies) => {
    const known = new SeenSet();
    for (const [at, body] of bodies.entries()) {
      const resolver = createResolver(pageUrl(at), defaultUrlOptions);
      for (const href of hrefsOf(body)) {
        const url = resolver.resolve(href);
        if (url !== undefined) known.add(fingerprint(url));
      }
    }
  },
  'appending half of each body to a file': (bodies, _, folder) => {
    const file = openSync(join(folder, 'bound.gz'), 'w');
    for (const body of bodies) writevSync(file, [body.subarray(0, body.length >> 1)]);
  },
  'state: a row a page in SQLite, one out of a queue, one in': state,
};

export async function measure(options: PartOptions): Promise<number> {
  const bodies = htmlBodies(options.html, options.pages);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const work = options.part === BARE_LOOP ? await bareLoop() : PARTS[options.part];
  try {
    const before = process.cpuUsage();
    await work(bodies, options, folder);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / options.pages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function pageUrl(at: number): string {
  return `http://h${at % CONNECTIONS}.example.test:8081/section/page-${at}.html`;
}

/** No markup is understood, and of references `&amp;` alone: what stands in comments and scripts counts as well, and without quotation marks nothing does. */
function hrefsOf(body: Buffer): string[] {
  const html = body.toString('latin1');
  const found: string[] = [];
  for (let at = html.indexOf('href='); at !== -1; at = html.indexOf('href=', at)) {
    const quote = html[at + 5];
    const end = html.indexOf(quote, at + 6);
    if (end === -1) break;
    // With references left as they are, queries would be what no server means, and need the parser.
    if (quote === '"' || quote === "'") found.push(html.slice(at + 6, end).replaceAll('&amp;', '&'));
    at += 5;
  }
  return found;
}

/** Requests written, answers copied into buffers of their own from one that is read into; only lengths are looked at. */
async function sockets({ pages, port }: PartOptions): Promise<void> {
  let asked = 0;
  const one = async (): Promise<void> => {
    let body = Buffer.alloc(0);
    let filled = 0;
    const socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      onread: {
        buffer: Buffer.alloc(64 * 1024),
        callback(count, buffer) {
          let from = 0;
          if (body.length === 0) {
            const head = Buffer.from(buffer.buffer, buffer.byteOffset, count);
            from = head.indexOf('\r\n\r\n') + 4;
            body = Buffer.allocUnsafeSlow(Number(/content-length: (\d+)/i.exec(head.toString('latin1', 0, from))?.[1]));
            filled = 0;
          }
          body.set(buffer.subarray(from, count), filled);
          filled += count - from;
          if (filled === body.length) next();
          return true;
        },
      },
    });
    const next = (): void => {
      body = Buffer.alloc(0);
      if (asked >= pages) socket.end();
      else
        socket.write(
          `GET /${asked++} HTTP/1.1\r\nHost: bench\r\nUser-Agent: bench\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n`,
        );
    };
    socket.once('connect', next);
    await once(socket, 'close');
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
}

function state(bodies: readonly Buffer[], { pages }: PartOptions, folder: string): void {
  using db = new DatabaseSync(join(folder, 'bound.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE page (fp INTEGER PRIMARY KEY, url TEXT, digest TEXT, facts TEXT) STRICT;
    CREATE TABLE queue (host INTEGER, ord INTEGER, url TEXT, PRIMARY KEY (host, ord)) STRICT, WITHOUT ROWID`);
  const page = db.prepare('INSERT INTO page VALUES (?, ?, ?, ?)');
  const enter = db.prepare('INSERT INTO queue VALUES (?, ?, ?)');
  const leave = db.prepare('DELETE FROM queue WHERE host = ? AND ord = ?');
  const facts = JSON.stringify({
    status: 200,
    mediaType: 'text/html',
    location: { file: 'x', offset: 1 },
    more: 'x'.repeat(300),
  });
  for (let at = 0; at < pages; at++) {
    if (at % BATCH === 0) db.exec('BEGIN IMMEDIATE');
    const url = pageUrl(at);
    const host = at % CONNECTIONS;
    enter.run(host, at, url);
    leave.run(host, at - CONNECTIONS);
    page.run(BigInt.asIntN(64, fingerprint(url)), url, `${bodies[at].length}`, facts);
    if (at % BATCH === BATCH - 1 || at === pages - 1) db.exec('COMMIT');
  }
}

interface Htmlparser2 {
  readonly Parser: new (handler: {
    onopentag(name: string, attributes: Record<string, string>): void;
  }) => { end(html: string): void };
}

async function bareLoop(): Promise<Work> {
  const peer = await peerPackage<Htmlparser2>('htmlparser2');
  if (peer === undefined) throw new Error('htmlparser2 is not there: see BENCH_PEERS');
  return (_, { pages, port }, folder) =>
    new Promise((resolve) => {
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const file = createWriteStream(join(folder, 'pages.bin'), { highWaterMark: 1 << 20 });
      const seen = new Set<string>();
      let asked = 0;
      let active = 0;
      const read = (body: Buffer, base: string): void => {
        const parser = new peer.Parser({
          onopentag(name, { href }) {
            if (href === undefined || (name !== 'a' && name !== 'area') || !URL.canParse(href, base)) return;
            const url = new URL(href, base);
            if (!/^https?:$/.test(url.protocol)) return;
            url.hash = '';
            seen.add(url.href);
          },
        });
        parser.end(body.toString());
      };
      const next = (): void => {
        while (active < CONNECTIONS && asked < pages) ask(asked++);
        if (active === 0) {
          agent.destroy();
          file.end(resolve);
        }
      };
      const ask = (number: number): void => {
        active++;
        get(`http://127.0.0.1:${port}/${number}`, { agent }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () => {
            active--;
            const body = Buffer.concat(pieces);
            file.write(`${number} ${body.length}\n`);
            file.write(body);
            read(body, pageUrl(number));
            next();
          });
        });
      };
      next();
    });
}

/** Of a crawl whose only seed nobody serves; ms of processor time. */
function startMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const program = join(import.meta.dirname, '..', 'bin', 'orbweaver.cjs');
  const options = ['--retries', '0', '--delay', '0', '--allow-private', '--no-text', '--no-index', '--quiet'];
  const before = childMs();
  spawnSync(process.execPath, [program, 'crawl', 'http://127.0.0.1:1/', '--dir', join(folder, 'crawl'), ...options]);
  rmSync(folder, { recursive: true });
  return childMs() - before;
}

/** Of children that have ended and were waited for. */
function childMs(): number {
  const shown = spawnSync('cat', [`/proc/${process.pid}/stat`], { encoding: 'utf8' }).stdout ?? '';
  const fields = shown.slice(shown.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { pages: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '3' } },
  });
  const [html] = positionals;
  if (html === undefined) throw new Error('which folder of HTML?');
  const pages = Number(values.pages);
  const server = fork(new URL('./harness/body-server.ts', import.meta.url), [html, String(pages)]);
  const [port] = await once(server, 'message');
  const hasPeer = (await peerPackage('htmlparser2')) !== undefined;
  const parts = [...Object.keys(PARTS), ...(hasPeer ? [BARE_LOOP] : [])];
  const times = new Map<string, number>();
  const least = (name: string, ms: number) => times.set(name, Math.min(times.get(name) ?? ms, ms));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const part of parts)
      least(part, (await inChild<number>('links-bound.ts', { part, pages, html, port } satisfies PartOptions)).result);
    least(`start, of ${CRAWL} pages`, startMs() / CRAWL);
  }
  server.kill();
  // The one that only finds links is contained in the one that looks them up.
  const contained = 'finding href by indexOf, nothing else of HTML';
  const bare = times.get(BARE_LOOP);
  let sum = 0;
  for (const [name, ms] of times) {
    if (name !== BARE_LOOP && name !== contained) sum += ms;
    console.log(`${ms.toFixed(3)} ms a page  ${name}`);
  }
  console.log(`${sum.toFixed(3)} ms a page  together`);
  if (bare !== undefined) console.log(`${(sum / bare).toFixed(2)} of the bare loop`);
}

if (import.meta.main) await main();
