import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listening } from '../unit/fetch/loopback.ts';

export const PASSWORD = 'correct-horse-battery';

/** Everything in a folder, as it lies there and unpacked. */
export function everythingIn(folder: string): string {
  const parts: string[] = [];
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (!statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    parts.push(bytes.toString('latin1'));
    if (path.endsWith('.gz')) parts.push(gunzipSync(bytes).toString('latin1'));
  }
  return parts.join('\n');
}

/** A site behind a form, whose sessions last for a few pages. */
export class Site {
  readonly sessions: string[] = [];
  logins = 0;
  #left = 0;
  #token = '';
  logouts = 0;
  wrong = 0;

  readonly answer = (request: IncomingMessage, response: ServerResponse): unknown => {
    const { url = '/', method, headers } = request;
    const page = (body: string, more: Record<string, string> = {}): void =>
      void response
        .writeHead(200, { 'content-type': 'text/html', ...more })
        .end(`<!doctype html><title>${url}</title>${body}`);
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (url === '/login' && method === 'GET') {
      this.#token = `csrf-${++this.logins}`;
      return page(
        `<form action="/search"><input name="q"></form><form method="post" action="/session"><input type=hidden name="csrf" value="${this.#token}&amp;x">
        <input name="user"><input type="password" name="password"><input type="checkbox" name="stay" checked><button name="go">Go</button></form>`,
      );
    }
    if (url === '/session' && method === 'POST') {
      let sent = '';
      request.on('data', (piece) => {
        sent += piece;
      });
      return void request.on('end', () => {
        const fields = Object.fromEntries(new URLSearchParams(sent));
        const right = { csrf: `${this.#token}&x`, user: 'anna', password: PASSWORD, stay: 'on' };
        if (JSON.stringify(fields) !== JSON.stringify(right)) {
          this.wrong++;
          return page('<form method="post" action="/session"><input name="user"><input name="password">');
        }
        this.sessions.push(`session-${Math.random().toString(36).slice(2)}-x`);
        this.#left = 5;
        return void response
          .writeHead(302, { location: '/welcome', 'set-cookie': `sid=${this.sessions.at(-1)}; Path=/` })
          .end();
      });
    }
    const isIn = headers.cookie === `sid=${this.sessions.at(-1)}` && this.#left > 0;
    if (url === '/welcome') return page(isIn ? 'Welcome, Anna' : 'Who are you?');
    if (url === '/logout') {
      this.logouts++;
      this.#left = 0;
      return page('Bye');
    }
    const number = Number(url.slice(1));
    // Half of the pages send to the login when the session is over, half say so.
    if (!isIn)
      return number % 2 === 0
        ? void response.writeHead(302, { location: '/login?back' }).end()
        : page('Please sign in');
    this.#left--;
    const next = number < 20 ? `<a href="/${number + 1}">next</a>` : '';
    return page(`<p>The private page ${number} of Anna.</p>${next}<a href="/logout">Log out</a>`, {
      'set-cookie': `sid=${this.sessions.at(-1)}; Path=/`,
    });
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse, sent: URLSearchParams) => unknown;

/** A server whose pages are given by path; forms arrive read. */
export async function serving(pages: Readonly<Record<string, string | Answer>>) {
  const server = await listening(
    createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        const page = pages[request.url ?? ''];
        if (typeof page === 'function') page(request, response, new URLSearchParams(body));
        else response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? '');
      });
    }),
  );
  return { origin: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
