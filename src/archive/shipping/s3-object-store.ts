import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import type { ArchiveStoreAddress } from '../../base/settings/archive-store.ts';
import { type ObjectBody, type ObjectFacts, type ObjectStore, ObjectStoreFailure } from './object-store.ts';
import type { CredentialSource, S3Credentials } from './s3-credentials.ts';

export interface S3ObjectStoreOptions {
  readonly address: ArchiveStoreAddress;
  readonly credentials: CredentialSource;
  /** Where the address says nothing. */
  readonly region?: string;
  /** Ends requests that are under way. */
  readonly signal?: AbortSignal;
  /** A request that sends and receives nothing for so long has failed. Default: two minutes. */
  readonly stallMs?: number;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: ObjectBody;
}

const STALL_MS = 120_000;
const DEFAULT_REGION = 'us-east-1';
const NO_BYTES = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ERROR_BYTES = 4096;

/** A bucket, over HTTP. The hash of what is sent is part of the signature, so that the store refuses what came over changed. */
export class S3ObjectStore implements ObjectStore {
  readonly #options: S3ObjectStoreOptions;
  readonly #region: string;
  readonly #base: string;

  constructor(options: S3ObjectStoreOptions) {
    const { bucket, endpoint, region, addressing } = options.address;
    this.#options = options;
    this.#region = region || options.region || DEFAULT_REGION;
    const origin = new URL(endpoint || `https://s3.${this.#region}.amazonaws.com`);
    this.#base =
      addressing === 'path' ? `${origin.origin}/${bucket}/` : `${origin.protocol}//${bucket}.${origin.host}/`;
  }

  async head(key: string): Promise<ObjectFacts | undefined> {
    const { statusCode, headers, body } = await this.#send('HEAD', key, {
      headers: { 'x-amz-checksum-mode': 'ENABLED' },
    });
    await body.dump();
    if (statusCode === 404) return undefined;
    if (statusCode !== 200) throw refused(statusCode, '', headers);
    const sha256 = headerOf(headers, 'x-amz-checksum-sha256');
    const etag = headerOf(headers, 'etag')?.replaceAll('"', '').toLowerCase();
    return {
      bytes: Number(headerOf(headers, 'content-length') ?? Number.NaN),
      ...(sha256 === undefined ? {} : { sha256: Buffer.from(sha256, 'base64').toString('hex') }),
      ...(etag === undefined ? {} : { etag }),
    };
  }

  async put(key: string, sent: ObjectBody, onlyNew: boolean): Promise<boolean> {
    const headers = {
      'content-length': String(sent.bytes),
      'x-amz-checksum-sha256': Buffer.from(sent.sha256, 'hex').toString('base64'),
    };
    const condition: Record<string, string> = onlyNew ? { 'if-none-match': '*' } : {};
    const answer = await this.#send('PUT', key, { headers: { ...headers, ...condition }, body: sent });
    if (answer.statusCode === 200) {
      await answer.body.dump();
      return true;
    }
    const code = await codeOf(answer.body);
    if (onlyNew && answer.statusCode === 412) return false;
    // A store that knows no conditions: whoever calls has looked before.
    if (onlyNew && answer.statusCode === 501) return await this.put(key, sent, false);
    throw refused(answer.statusCode, code, answer.headers);
  }

  async read(key: string, from: number, to: number): Promise<Buffer | undefined> {
    if (to <= from) return Buffer.alloc(0);
    const { statusCode, headers, body } = await this.#send('GET', key, {
      headers: { range: `bytes=${from}-${to - 1}` },
    });
    if (statusCode !== 200 && statusCode !== 206) return await nothingOf(statusCode, headers, body);
    // A server that knows no ranges sends all of it.
    const skipped = statusCode === 206 ? 0 : from;
    return await piece(body, skipped, skipped + to - from);
  }

  async stream(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const { statusCode, headers, body } = await this.#send('GET', key, {});
    if (statusCode !== 200) return await nothingOf(statusCode, headers, body);
    return withFailures(body);
  }

  async remove(key: string): Promise<void> {
    const { statusCode, headers, body } = await this.#send('DELETE', key, {});
    const code = await codeOf(body);
    if (statusCode !== 204 && statusCode !== 200 && statusCode !== 404) throw refused(statusCode, code, headers);
  }

  async #send(method: string, key: string, { headers = {}, body }: Sent): Promise<Dispatcher.ResponseData> {
    const credentials = await this.#options.credentials();
    const { stallMs = STALL_MS } = this.#options;
    const signed = await signedBy(credentials, {
      ...{ method, service: 's3', region: this.#region, url: `${this.#base}${key}` },
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? NO_BYTES },
    });
    using stall = new StallTimer(stallMs);
    const ended = this.#options.signal;
    try {
      return await request(signed.url, {
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(signed.headers),
        body: body === undefined ? null : (stall.watch(body.read()) as unknown as Readable),
        signal: ended === undefined ? stall.signal : AbortSignal.any([stall.signal, ended]),
        headersTimeout: stallMs,
        bodyTimeout: stallMs,
      });
    } catch (error) {
      throw unreachable(error, stall.signal.aborted ? `nothing moved for ${Math.round(stallMs / 1000)} s` : undefined);
    }
  }
}

/** What is wrong with a header is told with all that is in it: of the keys nothing is repeated. */
async function signedBy(
  credentials: S3Credentials,
  request: Omit<ConstructorParameters<typeof AwsV4Signer>[0], keyof S3Credentials>,
): Promise<{ readonly url: URL; readonly headers: Headers }> {
  try {
    return await new AwsV4Signer({ ...credentials, ...request }).sign();
  } catch {
    throw new ObjectStoreFailure('it cannot be asked: the keys have characters that no header can hold');
  }
}

/** Ends a request while whose body is sent nothing moves. */
class StallTimer implements Disposable {
  readonly #stalled = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => this.#stalled.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#stalled.signal;
  }

  async *watch(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.#timer.refresh();
      yield piece;
    }
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

async function nothingOf(
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  body: Dispatcher.ResponseData['body'],
): Promise<undefined> {
  const code = await codeOf(body);
  // A range that begins behind the end.
  if (status === 416) return undefined;
  if (status === 404 && code !== 'NoSuchBucket') return undefined;
  throw refused(status, code, headers);
}

/** The bytes of a body between two places. */
async function piece(body: AsyncIterable<Uint8Array>, from: number, to: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let at = 0;
  for await (const part of withFailures(body)) {
    const begin = Math.max(0, from - at);
    if (begin < part.length) parts.push(part.subarray(begin, to - at));
    at += part.length;
    if (at >= to) break;
  }
  return Buffer.concat(parts);
}

async function* withFailures(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw unreachable(error);
  }
}

/** Of the answer only the code: what else is in it may repeat what was signed. */
async function codeOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  try {
    for await (const part of body) {
      text += Buffer.from(part as Uint8Array).toString('latin1');
      if (text.length > ERROR_BYTES) break;
    }
  } catch {
    // What came is enough, or the status is.
  }
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(text)?.[1] ?? '';
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  return [headers[name] ?? []].flat()[0];
}

const ADVICE: Readonly<Record<number, string>> = {
  301: ': the bucket is in another region',
  307: ': the bucket is in another region',
  400: ': the region may be another',
  403: ': the keys are wrong, or may not do this',
  404: ': there is no such bucket',
};

function refused(status: number, code: string, headers: Dispatcher.ResponseData['headers']): ObjectStoreFailure {
  const region = headerOf(headers, 'x-amz-bucket-region');
  const told = region !== undefined && /^[a-z0-9-]+$/.test(region) ? ` (it is in ${region})` : '';
  const named = code === '' ? '' : ` ${code}`;
  return new ObjectStoreFailure(`it answers ${status}${named}${ADVICE[status] ?? ''}${status === 403 ? '' : told}`);
}

function unreachable(error: unknown, why?: string): ObjectStoreFailure {
  if (error instanceof ObjectStoreFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new ObjectStoreFailure(`it cannot be reached: ${why ?? code ?? message}`);
}
