import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpParts } from '../../mcp/mcp-server.ts';
import { isOwnHost } from '../http/host-check.ts';
import { DATA_POLICY, jsonReply, type Reply, SECURITY_HEADERS, send } from '../http/reply.ts';

const PATH = '/mcp';
/** Questions of agents are short. */
const MOST_BYTES = 256 * 1024;
const MOST_STREAMS = 32;

export interface AgentRights {
  /** Names of this server, besides localhost and addresses. */
  readonly ownNames: ReadonlySet<string>;
  /** The agent may have URLs fetched, where anybody may. */
  readonly mayCrawl: boolean;
}

/** The Model Context Protocol over HTTP ("streamable HTTP"), without sessions. The library is loaded with the first request. */
export class McpRoutes {
  readonly #parts: McpParts;
  #reading: Promise<McpHttpHandler> | undefined;
  #crawling: Promise<McpHttpHandler> | undefined;

  constructor(parts: McpParts) {
    this.#parts = parts;
  }

  isCalled(target: string | undefined): boolean {
    return target === PATH || target?.startsWith(`${PATH}?`) === true;
  }

  /** Answers one request; never throws. */
  async handle(request: IncomingMessage, response: ServerResponse, { ownNames, mayCrawl }: AgentRights): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const refused = refusalOf(request, ownNames);
      if (refused !== undefined) {
        request.resume();
        return send(refused, response);
      }
      const body = await bodyOf(request);
      if (body === undefined) return send(refusal(413, `A request has at most ${MOST_BYTES / 1024} KiB.`), response);
      const handler = await this.#handlerFor(mayCrawl);
      const answer = await handler.fetch(webRequest(request, body, gone.signal));
      await stream(answer, response);
    } catch {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) send(refusal(500, 'This is a fault of ours. Please try again.'), response);
    }
  }

  #handlerFor(mayCrawl: boolean): Promise<McpHttpHandler> {
    const { crawler, ...reading } = this.#parts;
    if (mayCrawl && crawler !== undefined) {
      this.#crawling ??= open({ ...reading, crawler });
      return this.#crawling;
    }
    this.#reading ??= open(reading);
    return this.#reading;
  }
}

async function open(parts: McpParts): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { createMcpServer } = await import('../../mcp/mcp-server.ts');
  return createMcpHandler(() => createMcpServer(parts), { maxSubscriptions: MOST_STREAMS });
}

/** A page of a stranger in a browser of this machine must not ask on behalf of its reader. */
function refusalOf({ headers, method }: IncomingMessage, ownNames: ReadonlySet<string>): Reply | undefined {
  const { host, origin } = headers;
  if (!isOwnHost(host, ownNames))
    return refusal(421, 'The request was meant for another name than that of this server.');
  if (origin !== undefined && URL.parse(origin)?.host !== host)
    return refusal(403, 'Requests of other sites are not answered: the Origin header names one.');
  if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
    const reply = refusal(405, 'The Model Context Protocol is spoken here, by POST.');
    return { ...reply, headers: { ...reply.headers, allow: 'GET, POST, DELETE' } };
  }
  return undefined;
}

/** In the form of the protocol. */
function refusal(status: number, message: string): Reply {
  return jsonReply({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, status);
}

/** Undefined where it is too long; the connection is closed after the answer. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MOST_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function webRequest({ method = 'GET', headers }: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : (value ?? []).map((each) => [name, each]),
  );
  const hasBody = method === 'POST';
  return new Request(`http://${headers.host}${PATH}`, {
    ...{ method, headers: given, signal },
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

async function stream(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, {
    ...{ ...SECURITY_HEADERS, 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' },
    ...headers,
  });
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as never), response);
}
