import { closeSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';
import type { WebDescription, WebModel } from '../model/web-model.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';

const FLUSH_BYTES = 65_536;
const FLUSH_MS = 200;

/**
 * The log as JSON lines, appended, so that an audit can span several crawls and several lives of the server.
 * Each life begins with a line {"web": ...} that says which web it served; then one line per request.
 */
export class RequestLogFile {
  readonly #file: number;
  readonly #web: WebModel;
  #waiting: string;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, web: WebModel) {
    this.#web = web;
    this.#file = openSync(path, 'a');
    // On a line of its own, also after one that a crash has torn.
    const separator = fstatSync(this.#file).size > 0 ? '\n' : '';
    this.#waiting = `${separator}${JSON.stringify({ web: web.description })}\n`;
    this.flush();
  }

  add(request: LoggedRequest): void {
    this.#waiting += `${JSON.stringify({
      t_arrive: round(request.arrive),
      t_done: round(request.done),
      host: this.#web.hosts.authority(request.host),
      path: request.target,
      status: request.status,
      bytes: request.bytes,
      method: request.method,
      agent: request.agent,
      connection: request.connection,
      complete: request.complete,
      ...(request.protocol === 'http/1.1' ? {} : { protocol: request.protocol }),
      ...(request.conditional ? { conditional: true } : {}),
    })}\n`;
    if (this.#waiting.length >= FLUSH_BYTES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting !== '') writeSync(this.#file, this.#waiting);
    this.#waiting = '';
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** A request as it stands in the file, or the line that opens a life of the server. */
interface LogLine {
  readonly t_arrive: number;
  readonly t_done: number;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly method: string;
  readonly agent: string;
  readonly connection: number;
  readonly complete: boolean;
  /** Absent: 'http/1.1'. */
  readonly protocol?: string;
  /** Absent: false. */
  readonly conditional?: boolean;
  readonly web?: WebDescription;
}

/** Reads a log file back. A last line torn by a crash is left out; connections of different lives stay apart. */
export function readRequestLog(path: string, makeWeb: (description: WebDescription) => WebModel): RequestLog {
  let log: RequestLog | undefined;
  let described = '';
  let life = 0;
  for (const line of readLines(path)) {
    if (!line.endsWith('}')) continue;
    const entry = parseLine(line, path);
    if (entry.web !== undefined) {
      life++;
      const description = JSON.stringify(entry.web);
      if (log !== undefined && description !== described) {
        throw new OrbweaverError('INPUT_INVALID', `${path} holds requests to two different webs.`, {
          remedy:
            'Write each web to a file of its own. The same web has the same parameters and the same --port every time.',
        });
      }
      described = description;
      log ??= new RequestLog(webOf(entry.web, path, makeWeb));
      continue;
    }
    if (log === undefined) throw new OrbweaverError('INPUT_INVALID', `${path} does not say which web it belongs to.`);
    const host = log.web.hosts.find(entry.host);
    log.add({
      arrive: entry.t_arrive,
      done: entry.t_done,
      host,
      target: entry.path,
      located: log.web.locate(host, entry.path),
      status: entry.status,
      bytes: entry.bytes,
      method: entry.method,
      agent: entry.agent,
      connection: life * 10_000_000 + entry.connection,
      complete: entry.complete,
      protocol: entry.protocol ?? 'http/1.1',
      conditional: entry.conditional === true,
    });
  }
  if (log === undefined) throw noLog(path);
  return log;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch (cause) {
    throw new OrbweaverError('INPUT_INVALID', `${path} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`, {
      cause,
      remedy: 'Give the file that "simulate serve --log" has written.',
    });
  }
}

function parseLine(line: string, path: string): LogLine {
  try {
    const entry: Partial<LogLine> = JSON.parse(line);
    if (entry.web !== undefined || (typeof entry.host === 'string' && typeof entry.path === 'string'))
      return entry as LogLine;
  } catch (cause) {
    throw noLog(path, cause);
  }
  throw noLog(path);
}

function webOf(
  description: WebDescription,
  path: string,
  makeWeb: (description: WebDescription) => WebModel,
): WebModel {
  try {
    const web: WebModel | undefined = makeWeb(description);
    if (web !== undefined) return web;
  } catch (cause) {
    throw noLog(path, cause);
  }
  throw noLog(path);
}

function noLog(path: string, cause?: unknown): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `${path} is no log of a simulated web, or one of another version.`, {
    cause,
    remedy: 'Give the file that "simulate serve --log" has written.',
  });
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
