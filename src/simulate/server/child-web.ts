import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { SyntheticWeb } from '../model/synthetic-web.ts';
import { webFromDescription } from '../model/web-from-description.ts';
import type { WebDescription } from '../model/web-model.ts';
import { type WebSpecOverrides, webSpec } from '../model/web-spec.ts';
import type { RequestLog } from './request-log.ts';
import { readRequestLog } from './request-log-file.ts';
import type { SyntheticWebOptions } from './web-server.ts';

export interface ChildWebOptions extends Omit<SyntheticWebOptions, 'now'> {
  /** Also answer for the names of its hosts, as a name server. */
  readonly nameServer?: boolean;
}

/** What the process is told, and what it tells; one question at a time. */
export type ChildQuestion = 'flush' | 'cpu' | 'close';
export type ChildAnswer =
  | { readonly description: WebDescription; readonly certificate?: string; readonly nameServer?: string }
  | { readonly cpuSeconds: number; readonly requests: number };

export interface ChildWeb extends AsyncDisposable {
  /** The same web, for its truth. */
  readonly web: SyntheticWeb;
  /** The home page of each host: seeds. */
  readonly origins: readonly string[];
  /** Host name -> address, for a crawl's resolver. */
  readonly hostsMap: Readonly<Record<string, string>>;
  /** In PEM; undefined without TLS. */
  readonly certificate: string | undefined;
  /** host:port of the name server; undefined where none was wanted. */
  readonly nameServer: string | undefined;
  /** All requests so far. After `close` only where the log was given a file of its own. */
  log(): Promise<RequestLog>;
  /** CPU that the server has used since it began to serve, user and system; after `close` up to its end. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/** Serves a synthetic web from a process of its own, so that its CPU is counted apart from that of whoever asks. */
export async function startWebProcess(spec: WebSpecOverrides = {}, options: ChildWebOptions = {}): Promise<ChildWeb> {
  const whole = webSpec(spec);
  const folder = options.logFile === undefined ? mkdtempSync(join(tmpdir(), 'orbweaver-web-')) : undefined;
  const logFile = options.logFile ?? join(folder as string, 'requests.jsonl');
  const main = join(import.meta.dirname, `web-process${extname(import.meta.filename)}`);
  // The flags of this process are not for the other: under a test runner they would make it run tests.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const child = fork(main, [JSON.stringify({ spec: whole, options: { ...options, logFile } })], { execArgv: [], env });
  const exited = once(child, 'exit');
  const started = await Promise.race([answerOf(child), failed(exited)]);
  if (!('description' in started) || started.description.kind !== 'synthetic')
    throw new TypeError('no web was started');
  const { spec: served, addressing } = started.description;
  const web = new SyntheticWeb(served, addressing);
  let last = { cpuSeconds: 0, requests: 0 };
  let closed: Promise<void> | undefined;

  const ask = async (question: ChildQuestion): Promise<void> => {
    child.send(question);
    const answer = await Promise.race([answerOf(child), failed(exited)]);
    if ('cpuSeconds' in answer) last = answer;
  };
  const end = async (): Promise<void> => {
    await ask('close');
    await exited;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const close = (): Promise<void> => {
    closed ??= end();
    return closed;
  };
  return {
    web,
    origins: Array.from({ length: web.hosts.count }, (_, host) => `${web.hosts.origin(host)}/`),
    hostsMap: web.hosts.map(),
    certificate: started.certificate,
    nameServer: started.nameServer,
    async log() {
      if (closed === undefined) await ask('flush');
      return readRequestLog(logFile, webFromDescription);
    },
    async cpuSeconds() {
      if (closed === undefined) await ask('cpu');
      return last.cpuSeconds;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answerOf(child: ChildProcess): Promise<ChildAnswer> {
  const [answer] = await once(child, 'message');
  return answer;
}

async function failed(exited: Promise<unknown[]>): Promise<never> {
  const [code] = await exited;
  throw new Error(`the process of the synthetic web ended by itself (exit code ${code})`);
}
