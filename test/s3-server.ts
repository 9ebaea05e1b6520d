import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface StoredObject {
  readonly bytes: Buffer;
  readonly sha256: string;
}

export interface S3Request {
  readonly method: string;
  readonly key: string;
  readonly range?: string;
  readonly status: number;
}

/** What goes wrong with a request; undefined: nothing. */
export type S3Fault =
  /** It is answered so, without being heard. */
  | { readonly status: number }
  /** The connection breaks in the middle of what is sent. */
  | { readonly reset: 'while-sending' }
  /** It is done, and the answer is lost. */
  | { readonly reset: 'after-storing' }
  | { readonly slowMs: number }
  /** What is stored is not what came. */
  | { readonly corrupts: true }
  /** What is told of an object is wrong. */
  | { readonly lies: 'checksum' | 'etag' | 'size' };

export interface S3ServerOptions {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly bucket: string;
  readonly region?: string;
  /** It keeps and tells SHA-256 checksums. Default: true. */
  readonly checksums?: boolean;
  /** It knows If-None-Match. Default: true. */
  readonly conditions?: boolean;
}

const EMPTY = createHash('sha256').update('').digest('hex');
const LONGEST_SKEW_MS = 15 * 60_000;

/**
 * A bucket that speaks as much of S3 as a crawl needs. Signatures are checked by code of its own, after the description of
 * Signature Version 4; faults are had on request.
 */
export class S3Server implements AsyncDisposable {
  readonly objects = new Map<string, StoredObject>();
  readonly requests: S3Request[] = [];
  /** Asked with every request. */
  fault: (request: { readonly method: string; readonly key: string }) => S3Fault | undefined = () => undefined;
  readonly #options: S3ServerOptions;
  readonly #server: Server;

  private constructor(options: S3ServerOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => request.socket.destroy());
    });
  }

  static async start(options: S3ServerOptions): Promise<S3Server> {
    const server = createServer();
    const made = new S3Server(options, server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return made;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** For the setting `archive-store`. */
  address(prefix: string): string {
    const { bucket, region } = this.#options;
    return `s3://${bucket}/${prefix}?endpoint=${this.origin}${region === undefined ? '' : `&region=${region}`}`;
  }

  /** Keys of WARC files. */
  get files(): string[] {
    return [...this.objects.keys()].filter((key) => key.endsWith('.warc.gz')).sort();
  }

  count(method: string): number {
    return this.requests.filter((one) => one.method === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const [, bucket, key] = /^\/([^/]+)\/(.*)$/.exec(decodeURIComponent(url)) ?? [];
    const fault: Partial<Record<'status' | 'slowMs', number>> & { reset?: string; corrupts?: true; lies?: string } =
      this.fault({ method, key }) ?? {};
    const say = (status: number, code = '', headers: Record<string, string | number> = {}, body?: Buffer): void => {
      const { range } = request.headers;
      this.requests.push({ method, key, status, ...(range === undefined ? {} : { range }) });
      const error =
        code === ''
          ? undefined
          : Buffer.from(
              `<Error><Code>${code}</Code><AWSAccessKeyId>${this.#options.accessKeyId}</AWSAccessKeyId></Error>`,
            );
      response.writeHead(status, { ...(error === undefined ? {} : { 'content-length': error.length }), ...headers });
      response.end(method === 'HEAD' ? undefined : (body ?? error));
    };
    if (fault.slowMs !== undefined) await wait(fault.slowMs);
    if (fault.status !== undefined) return say(fault.status, 'InternalError');
    const body = await this.#body(request, fault.reset === 'while-sending');
    if (body === undefined) return;
    const wrong = this.#wrongWith(request, body);
    if (wrong !== undefined) return say(403, wrong);
    if (bucket !== this.#options.bucket) return say(404, 'NoSuchBucket');
    const stored = this.objects.get(key);
    if (method === 'PUT') {
      if (this.#options.conditions === false && request.headers['if-none-match'] !== undefined)
        return say(501, 'NotImplemented');
      if (request.headers['if-none-match'] === '*' && stored !== undefined) return say(412, 'PreconditionFailed');
      const told = request.headers['x-amz-checksum-sha256'];
      if (told !== undefined && told !== createHash('sha256').update(body).digest('base64'))
        return say(400, 'BadDigest');
      const kept = fault.corrupts ? Buffer.from(body).fill(0, 0, 1) : body;
      this.objects.set(key, { bytes: kept, sha256: createHash('sha256').update(kept).digest('base64') });
      if (fault.reset !== undefined) return void request.socket.destroy();
      return say(200);
    }
    if (method === 'DELETE') {
      this.objects.delete(key);
      return say(204);
    }
    if (stored === undefined) return say(404, 'NoSuchKey');
    const { lies } = fault;
    const headers: Record<string, string | number> = {
      etag: `"${lies === 'etag' ? '0'.repeat(32) : createHash('md5').update(stored.bytes).digest('hex')}"`,
      ...(this.#options.checksums === false || request.headers['x-amz-checksum-mode'] !== 'ENABLED'
        ? {}
        : { 'x-amz-checksum-sha256': lies === 'checksum' ? Buffer.alloc(32).toString('base64') : stored.sha256 }),
    };
    const { range } = request.headers;
    if (method === 'GET' && range !== undefined) {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
      const part = stored.bytes.subarray(Number(from), Number(to) + 1);
      if (part.length === 0) return say(416, 'InvalidRange');
      return say(206, '', { ...headers, 'content-length': part.length }, part);
    }
    say(200, '', { ...headers, 'content-length': stored.bytes.length + (lies === 'size' ? 1 : 0) }, stored.bytes);
  }

  /** Undefined where the connection was broken. */
  async #body(request: IncomingMessage, breaks: boolean): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
      if (breaks) {
        request.socket.destroy();
        return undefined;
      }
    }
    return Buffer.concat(parts);
  }

  /** What is wrong with the signature of a request, as S3 would say it. */
  #wrongWith(request: IncomingMessage, body: Buffer): string | undefined {
    const { accessKeyId, secretAccessKey, sessionToken, region = 'us-east-1' } = this.#options;
    const parsed =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
        request.headers.authorization ?? '',
      );
    if (parsed === null) return 'AccessDenied';
    const [, id, day, place, signedHeaders, signature] = parsed;
    if (id !== accessKeyId) return 'InvalidAccessKeyId';
    if (place !== region) return 'AuthorizationHeaderMalformed';
    const header = (name: string): string => String(request.headers[name] ?? '');
    if (sessionToken !== undefined && header('x-amz-security-token') !== sessionToken) return 'InvalidToken';
    const names = signedHeaders.split(';');
    // Whatever steers the request must be signed.
    const steering = Object.keys(request.headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
    if (!steering.every((name) => names.includes(name))) return 'AccessDenied';
    const hash = header('x-amz-content-sha256');
    if (hash !== (body.length === 0 ? EMPTY : createHash('sha256').update(body).digest('hex')))
      return 'XAmzContentSHA256Mismatch';
    const date = header('x-amz-date');
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!date.startsWith(day) || !(Math.abs(Date.now() - at) < LONGEST_SKEW_MS)) return 'RequestTimeTooSkewed';
    const [path, query = ''] = (request.url ?? '').split('?');
    const canonical = [
      ...[request.method, path, query],
      ...names.map((name) => `${name}:${header(name).trim().replace(/ +/g, ' ')}`),
      ...['', signedHeaders, hash],
    ].join('\n');
    const scope = `${day}/${place}/s3/aws4_request`;
    const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
    let key = Buffer.from(`AWS4${secretAccessKey}`);
    for (const part of [day, place, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
    const expected = createHmac('sha256', key).update(toSign).digest();
    return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch';
  }
}
