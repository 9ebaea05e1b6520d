import { Agent, request } from 'undici';
import { OrbweaverError } from '../../base/errors.ts';

/** Where the documents go, and as whom. */
export interface OpenSearchAccess {
  /** With the index as its path, such as `https://search.example.org:9200/pages`; holds no secret. */
  readonly url: string;
  /** An API key, as the server gave it (base64). */
  readonly apiKey?: string;
  readonly user?: string;
  readonly password?: string;
  /** Certificates to trust, in PEM, besides or instead of those that the system knows. */
  readonly ca?: string;
}

export interface OpenSearchAnswer {
  readonly status: number;
  /** Undefined where it is no JSON. */
  readonly json: unknown;
  readonly retryAfterMs: number;
}

/** Something that may be over soon: no connection, no answer in time, an overloaded server. */
export class OpenSearchTrouble extends Error {
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

const ANSWER_MS = 60_000;
/** Longer answers are cut off; one line for each document of a bulk is far below. */
const MOST_BYTES = 64 * 2 ** 20;
const MOST_WAIT_MS = 300_000;

/** One index of an OpenSearch or Elasticsearch server, over HTTP. No secret is ever part of what it throws. */
export class OpenSearchClient implements AsyncDisposable {
  /** As errors name it. */
  readonly name: string;
  readonly #base: string;
  readonly #agent: Agent;
  readonly #authorization: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #answerMs: number;

  constructor(access: OpenSearchAccess, options: { readonly signal?: AbortSignal; readonly answerMs?: number } = {}) {
    const url = new URL(access.url);
    this.#base = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
    this.name = `${url.host}${url.pathname.replace(/\/$/, '')}`;
    this.#authorization = authorizationOf(access);
    this.#signal = options.signal;
    this.#answerMs = options.answerMs ?? ANSWER_MS;
    this.#agent = new Agent({
      ...{ connections: 1, pipelining: 1, headersTimeout: this.#answerMs, bodyTimeout: this.#answerMs },
      connect: { timeout: 10_000, ...(access.ca === undefined ? {} : { ca: access.ca }) },
    });
  }

  /** `path` continues that of the index: '', '/_bulk?…'. A string is sent as it is, as NDJSON. */
  async ask(method: 'GET' | 'PUT' | 'POST', path: string, sent?: string | object): Promise<OpenSearchAnswer> {
    const body = sent === undefined || typeof sent === 'string' ? sent : JSON.stringify(sent);
    const type = typeof sent === 'string' ? 'application/x-ndjson' : 'application/json';
    try {
      const answer = await request(`${this.#base}${path}`, {
        ...{ method, dispatcher: this.#agent, ...(this.#signal === undefined ? {} : { signal: this.#signal }) },
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': type }),
          ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
        },
        ...(body === undefined ? {} : { body }),
      });
      const { statusCode: status } = answer;
      const json = await jsonOf(answer.body);
      this.#refuse(status);
      return { status, json, retryAfterMs: waitOf(answer.headers['retry-after']) };
    } catch (error) {
      if (error instanceof OrbweaverError || this.#signal?.aborted === true) throw error;
      throw new OpenSearchTrouble(`${this.name} cannot be reached (${reasonOf(error)})`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  /** What no second try changes. */
  #refuse(status: number): void {
    if (status === 401 || status === 403)
      throw new OrbweaverError('SINK_FAILED', `${this.name} does not let us write (HTTP ${status}).`, {
        remedy:
          'Set ORBWEAVER_OPENSEARCH_KEY, or ORBWEAVER_OPENSEARCH_USER and ORBWEAVER_OPENSEARCH_PASSWORD, to those of somebody who may create, write, read and refresh the index.',
      });
    if (status >= 300 && status < 400)
      throw new OrbweaverError('SINK_FAILED', `${this.name} sends us elsewhere (HTTP ${status}).`, {
        remedy: 'Name the address that answers itself, with http:// or https:// as it speaks.',
      });
  }
}

function authorizationOf({ apiKey = '', user = '', password = '' }: OpenSearchAccess): string | undefined {
  if (apiKey !== '') return `ApiKey ${apiKey}`;
  if (user === '') return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

async function jsonOf(body: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error('an answer without end');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

function waitOf(header: string | string[] | undefined): number {
  const seconds = Number(header ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds * 1000, MOST_WAIT_MS) : 0;
}

/** A code or a name, never a text that could hold what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown fault';
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  if (typeof code === 'string') return code;
  return typeof cause?.code === 'string' ? cause.code : error.name === 'Error' ? error.message : error.name;
}
