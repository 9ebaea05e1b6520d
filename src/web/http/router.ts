import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Visitor } from './access/access.ts';
import type { Gate } from './access/gate.ts';
import { BodyTooLarge, MOST_BODY_BYTES, readForm } from './body.ts';
import { mountedReply } from './mounted-reply.ts';
import { type Reply, send } from './reply.ts';
import { BadRequest, type WebRequest } from './web-request.ts';

export type Route = (ask: WebRequest) => Reply | Promise<Reply>;
export type RouteEntry = readonly [path: string, route: Route];

export interface RouterEnv {
  Bindings: HttpBindings;
  Variables: { visitor: Visitor };
}

export interface RouterParts {
  /** Where the addresses of the app begin; '' at the root of its server. */
  readonly mount: string;
  /** Who may pass. */
  readonly gate: Gate;
  /** Read with GET and HEAD. */
  readonly pages: readonly RouteEntry[];
  /** Sent with POST, as forms send. */
  readonly forms: readonly RouteEntry[];
  /** What went wrong, for whoever asked for this path. */
  readonly message: (path: string, status: number, title: string, text: string) => Reply;
  /** What a route threw, as an answer. */
  readonly failed: (error: unknown, ask: Pick<WebRequest, 'path' | 'signal'>) => Reply;
}

const READING = ['GET', 'HEAD'];

/**
 * Requests to routes. Hono matches paths and checks what the API takes; replies are sent by ourselves, so that every one of them has
 * the headers that keep it in its place, and no `Response` is made for pages that are asked for thousands of times a second.
 */
export class Router {
  readonly app: OpenAPIHono<RouterEnv>;
  readonly #parts: RouterParts;
  readonly #listen: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>;
  /** By the methods that a path takes. */
  readonly #methods = new Map<string, Set<string>>();

  constructor(parts: RouterParts) {
    this.#parts = parts;
    const app = new OpenAPIHono<RouterEnv>({
      defaultHook: (result) => {
        if (!result.success) throw new BadRequest(describeIssue(result.error.issues));
      },
    });
    this.app = app;
    app.use(this.#guard());
    // Whoever sends too much is not waited for.
    app.use(
      '/api/*',
      bodyLimit({
        maxSize: MOST_BODY_BYTES,
        onError: () => {
          throw new BodyTooLarge();
        },
      }),
    );
    for (const [path, route] of parts.pages) app.get(path, (c) => this.#answer(c, route));
    for (const [path, route] of parts.forms) app.post(path, (c) => this.#answerForm(c, route));
    app.notFound((c) => this.#send(c, this.#unknown(c)));
    app.onError((error, c) => this.#send(c, parts.failed(error, askOf(c))));
    this.#listen = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  }

  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<unknown> {
    return this.#listen(incoming, outgoing);
  }

  #guard(): MiddlewareHandler<RouterEnv> {
    const { gate } = this.#parts;
    return async (c, next) => {
      const { incoming } = c.env;
      const { visitor, refused } = gate.admit(incoming, c.req.path);
      if (refused !== undefined) return this.#send(c, refused);
      c.set('visitor', visitor);
      return await next();
    };
  }

  async #answer(c: Context<RouterEnv>, route: Route): Promise<Response> {
    return this.#send(c, await route(this.#ask(c)));
  }

  async #answerForm(c: Context<RouterEnv>, route: Route): Promise<Response> {
    const { gate, message } = this.#parts;
    const form = await readForm(c.env.incoming);
    if (!(form instanceof URLSearchParams)) {
      const reply = message(c.req.path, form.status, 'Not taken', form.why);
      // The rest of a body is not waited for.
      return this.#send(c, { ...reply, headers: { ...reply.headers, connection: 'close' } });
    }
    const refused = gate.checkForm(c.req.path, c.var.visitor, form);
    return this.#send(c, refused ?? (await route({ ...this.#ask(c), form })));
  }

  #unknown(c: Context<RouterEnv>): Reply {
    const path = c.req.path;
    const methods = this.#methodsOf(path);
    if (methods.length === 0) return this.#parts.message(path, 404, 'Not found', 'There is no such page here.');
    const text = methods.every((method) => READING.includes(method))
      ? 'This page can only be read.'
      : `This address takes ${methods.join(', ')}.`;
    const reply = this.#parts.message(path, 405, 'Method not allowed', text);
    return { ...reply, headers: { ...reply.headers, allow: methods.join(', ') } };
  }

  /** What could have been asked of a path. */
  #methodsOf(path: string): string[] {
    if (this.#methods.size === 0) {
      for (const { method, path: pattern } of this.app.routes) {
        if (method === 'ALL') continue;
        const methods = this.#methods.get(pattern) ?? new Set();
        for (const one of method === 'GET' ? READING : [method]) methods.add(one);
        this.#methods.set(pattern, methods);
      }
    }
    const found = new Set(this.#methods.get(path) ?? []);
    for (const [pattern, methods] of this.#methods)
      if (pattern.includes(':') && matches(pattern, path)) for (const method of methods) found.add(method);
    return [...found];
  }

  #ask(c: Context<RouterEnv>): WebRequest {
    const ask = askOf(c);
    return { ...ask, origin: ask.origin + this.#parts.mount };
  }

  #send(c: Context<RouterEnv>, reply: Reply): Response {
    return sendReply(c, mountedReply(reply, this.#parts.mount));
  }
}

/** Sends a reply of ours where the framework wants a response of its own. */
export function sendReply({ env }: Context<RouterEnv>, reply: Reply): Response {
  if (!env.outgoing.destroyed) send(reply, env.outgoing as ServerResponse);
  return RESPONSE_ALREADY_SENT;
}

/** The request as routes take it. */
export function askOf(c: Context<RouterEnv>): WebRequest {
  const { incoming } = c.env;
  const at = c.req.url.indexOf('?');
  return {
    path: c.req.path,
    parameters: new URLSearchParams(at === -1 ? '' : c.req.url.slice(at + 1).replace(/#.*$/s, '')),
    origin: `http://${incoming.headers.host}`,
    headers: incoming.headers,
    visitor: c.var.visitor,
    address: incoming.socket.remoteAddress ?? '',
    get signal() {
      return signalOf(c.env.outgoing as ServerResponse);
    },
  };
}

/** Made on demand. Of an answer that was sent nobody needs to be told; the reason for an abort is an error with its whole stack. */
function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
  return gone.signal;
}

function matches(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  return parts.length === wanted.length && wanted.every((part, at) => part.startsWith(':') || part === parts[at]);
}

function describeIssue(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const [{ path, message }] = issues;
  return path.length === 0 ? message : `"${path.join('.')}": ${message}`;
}
