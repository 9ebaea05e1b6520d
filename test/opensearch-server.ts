import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface RemoteDocument {
  readonly version: number;
  readonly source: Readonly<Record<string, unknown>>;
}

export interface BulkRequest {
  readonly operations: number;
  readonly bytes: number;
  readonly status: number;
}

/** What goes wrong with a request; undefined: nothing. */
export type OpenSearchFault =
  | { readonly status: number; readonly retryAfter?: number }
  /** Nothing is done, and the connection breaks. */
  | { readonly reset: 'before' }
  /** It is done, and the answer is lost. */
  | { readonly reset: 'after' }
  /** It is done only later, when nobody waits any more. */
  | { readonly lateMs: number }
  /** These operations fail, the others are done. */
  | { readonly fails: (id: string) => { readonly status: number; readonly type: string } | undefined };

export interface OpenSearchServerOptions {
  readonly index: string;
  readonly authorization?: string;
  /** Larger requests get 413. */
  readonly mostBytes?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

interface Operation {
  readonly kind: 'index' | 'delete';
  readonly id: string;
  readonly version: number;
  readonly source?: Record<string, unknown>;
}

interface ItemResult {
  readonly status: number;
  readonly result?: string;
  readonly error?: { readonly type: string; readonly reason: string };
}

const DATE = /^\d{1,15}$/;

/**
 * As much of OpenSearch as documents are sent to, after its documentation and strict about it: bulks are lines that end with a line feed,
 * versions from outside are compared document by document (deletions included), fields have to be of their kinds.
 */
export class OpenSearchServer implements AsyncDisposable {
  readonly documents = new Map<string, RemoteDocument>();
  /** Versions of documents that were deleted. */
  readonly tombstones = new Map<string, number>();
  readonly bulks: BulkRequest[] = [];
  /** Operations that were applied, in their order. */
  readonly applied: { readonly kind: string; readonly id: string; readonly version: number }[] = [];
  readonly requests: string[] = [];
  mapping: { readonly properties: Record<string, { readonly type: string }> } | undefined;
  settings: unknown;
  uuid = 0;
  fault: (request: { readonly method: string; readonly path: string }) => OpenSearchFault | undefined = () => undefined;
  readonly #options: OpenSearchServerOptions;
  readonly #server: Server;

  private constructor(options: OpenSearchServerOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(options: OpenSearchServerOptions, port = 0): Promise<OpenSearchServer> {
    const server = options.tls === undefined ? createServer() : createTlsServer(options.tls);
    const made = new OpenSearchServer(options, server as Server);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${this.port}/${this.#options.index}`;
  }

  get urls(): string[] {
    return [...this.documents.values()].map(({ source }) => String(source.url)).sort();
  }

  /** Somebody deletes the index. */
  deleteIndex(): void {
    this.documents.clear();
    this.tombstones.clear();
    this.mapping = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const path = url.slice(1 + this.#options.index.length).split('?')[0];
    let body = '';
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return;
    }
    this.requests.push(`${method} ${path}`);
    const reply = (status: number, json: unknown, headers: Record<string, string> = {}): void => {
      if (path === '/_bulk')
        this.bulks.push({ operations: operationsOf(body)?.length ?? 0, bytes: Buffer.byteLength(body), status });
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
    };
    const { authorization, index, mostBytes = 100 * 2 ** 20 } = this.#options;
    if (authorization !== undefined && request.headers.authorization !== authorization)
      return reply(401, { error: { type: 'security_exception', reason: `not ${request.headers.authorization}` } });
    if (!url.startsWith(`/${index}`))
      return reply(400, { error: { type: 'invalid_index_name_exception', reason: url } });
    const fault = this.fault({ method, path });
    if (fault !== undefined && 'status' in fault)
      return reply(
        fault.status,
        { error: { type: 'rejected_execution_exception', reason: 'overloaded' } },
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      );
    if (fault !== undefined && 'reset' in fault && fault.reset === 'before') return void response.destroy();
    if (Buffer.byteLength(body) > mostBytes) return reply(413, 'too large');
    if (fault !== undefined && 'lateMs' in fault) {
      setTimeout(() => this.#do(method, path, body, undefined), fault.lateMs);
      return void response.destroy();
    }
    const [status, json] = this.#do(
      method,
      path,
      body,
      fault !== undefined && 'fails' in fault ? fault.fails : undefined,
    );
    if (fault !== undefined && 'reset' in fault) return void response.destroy();
    reply(status, json);
  }

  #do(
    method: string,
    path: string,
    body: string,
    fails: ((id: string) => { readonly status: number; readonly type: string } | undefined) | undefined,
  ): [number, unknown] {
    const { index } = this.#options;
    const missing = { error: { type: 'index_not_found_exception', reason: `no such index [${index}]` } };
    if (method === 'PUT' && path === '') {
      if (this.mapping !== undefined)
        return [
          400,
          { error: { type: 'resource_already_exists_exception', reason: `index [${index}] already exists` } },
        ];
      const asked = JSON.parse(body);
      this.mapping = asked.mappings;
      this.settings = asked.settings;
      this.uuid++;
      return [200, { acknowledged: true }];
    }
    if (this.mapping === undefined) return [404, missing];
    if (method === 'GET' && path === '/_settings')
      return [200, { [index]: { settings: { index: { uuid: `uuid-${this.uuid}` } } } }];
    if (method === 'PUT' && path === '/_mapping') return this.#map(JSON.parse(body));
    if (method === 'POST' && path === '/_refresh') return [200, { _shards: {} }];
    if (method === 'POST' && path === '/_search') return [200, this.#search(JSON.parse(body))];
    if (method === 'POST' && path === '/_bulk') return this.#bulk(body, fails);
    return [405, { error: { type: 'method_not_allowed', reason: `${method} ${path}` } }];
  }

  #map(asked: { properties: Record<string, { type: string }> }): [number, unknown] {
    const before = this.mapping?.properties ?? {};
    for (const [name, { type }] of Object.entries(asked.properties))
      if (before[name] !== undefined && before[name].type !== type)
        return [
          400,
          {
            error: {
              type: 'illegal_argument_exception',
              reason: `mapper [${name}] cannot be changed from type [${before[name].type}] to [${type}]`,
            },
          },
        ];
    this.mapping = { properties: { ...before, ...asked.properties } };
    return [200, { acknowledged: true }];
  }

  #search(asked: { size: number; query: { term: { source: string } }; search_after?: readonly [string] }): unknown {
    const [after = ''] = asked.search_after ?? [];
    const found = [...this.documents]
      .filter(([, { source }]) => source.source === asked.query.term.source && String(source.url) > after)
      .sort(([, a], [, b]) => (String(a.source.url) < String(b.source.url) ? -1 : 1))
      .slice(0, asked.size);
    return {
      hits: {
        hits: found.map(([_id, { version, source }]) => ({
          _id,
          _version: version,
          _source: { url: source.url },
          sort: [source.url],
        })),
      },
    };
  }

  #bulk(
    body: string,
    fails: ((id: string) => { readonly status: number; readonly type: string } | undefined) | undefined,
  ): [number, unknown] {
    const operations = operationsOf(body);
    if (operations === undefined)
      return [
        400,
        {
          error: {
            type: 'illegal_argument_exception',
            reason: 'The bulk request must be terminated by a newline [\\n]',
          },
        },
      ];
    const items = operations.map((operation) => {
      const failure = fails?.(operation.id);
      const result: ItemResult =
        failure === undefined
          ? this.#apply(operation)
          : { status: failure.status, error: { type: failure.type, reason: 'on request' } };
      return { [operation.kind]: { _id: operation.id, ...result } };
    });
    return [200, { errors: items.some((item) => Object.values(item)[0].status >= 300), items }];
  }

  #apply({ kind, id, version, source }: Operation): ItemResult {
    const wrong = kind === 'index' ? this.#wrongField(source ?? {}) : undefined;
    if (Buffer.byteLength(id) > 512)
      return { status: 400, error: { type: 'illegal_argument_exception', reason: 'id is too long' } };
    if (wrong !== undefined)
      return { status: 400, error: { type: 'mapper_parsing_exception', reason: `failed to parse field [${wrong}]` } };
    const current = this.documents.get(id)?.version ?? this.tombstones.get(id);
    // external_gte
    if (current !== undefined && version < current)
      return {
        status: 409,
        error: {
          type: 'version_conflict_engine_exception',
          reason: `[${id}]: version conflict, current version [${current}] is higher than the one provided [${version}]`,
        },
      };
    this.applied.push({ kind, id, version });
    if (kind === 'delete') {
      const was = this.documents.delete(id);
      this.tombstones.set(id, version);
      return was ? { status: 200, result: 'deleted' } : { status: 404, result: 'not_found' };
    }
    const status = this.documents.has(id) ? 200 : 201;
    this.documents.set(id, { version, source: source ?? {} });
    this.tombstones.delete(id);
    return { status, result: status === 200 ? 'updated' : 'created' };
  }

  #wrongField(source: Record<string, unknown>): string | undefined {
    for (const [name, { type }] of Object.entries(this.mapping?.properties ?? {})) {
      const value = source[name];
      if (value === undefined) continue;
      if ((type === 'keyword' || type === 'text') && typeof value !== 'string') return name;
      if (type === 'date' && !DATE.test(String(value))) return name;
      if ((type === 'float' || type === 'long') && typeof value !== 'number') return name;
    }
    return undefined;
  }
}

/** Undefined where it is no bulk request. */
function operationsOf(body: string): Operation[] | undefined {
  if (!body.endsWith('\n')) return undefined;
  const lines = body.slice(0, -1).split('\n');
  const operations: Operation[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [[kind, meta]] = Object.entries(JSON.parse(lines[at])) as [[Operation['kind'], Record<string, unknown>]];
    const { _id, version, version_type, ...more } = meta;
    if (typeof _id !== 'string' || !Number.isSafeInteger(version) || version_type !== 'external_gte') return undefined;
    if (Object.keys(more).length > 0 || (kind !== 'index' && kind !== 'delete')) return undefined;
    const source = kind === 'index' ? { source: JSON.parse(lines[++at]) as Record<string, unknown> } : {};
    operations.push({ kind, id: _id, version: version as number, ...source });
  }
  return operations;
}
