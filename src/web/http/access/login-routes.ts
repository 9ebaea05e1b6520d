import { type Html, html } from '../../frame/html.ts';
import type { Reply } from '../reply.ts';
import type { WebRequest } from '../web-request.ts';
import { SESSION_COOKIE, SESSION_MS } from './access.ts';
import type { Gate } from './gate.ts';

/** The page around what is said here. */
type Frame = (title: string, content: Html, status: number) => Reply;

/** Where a browser shows its token, once. */
export class LoginRoutes {
  readonly #gate: Gate;
  readonly #frame: Frame;

  constructor(gate: Gate, frame: Frame) {
    this.#gate = gate;
    this.#frame = frame;
  }

  page(ask: WebRequest): Reply {
    const { access } = this.#gate;
    if (access.isOpen)
      return this.#frame(
        'Log in',
        html`<section class="message"><h1>No token is needed</h1><p>Everybody on this machine may use this server. <a href="/">Start page</a></p></section>`,
        200,
      );
    if (ask.visitor?.via === 'session') return this.#loggedIn(ask);
    return this.#form(ask.parameters.get('to') ?? '', undefined);
  }

  logIn(ask: WebRequest): Reply {
    const { form = new URLSearchParams(), headers } = ask;
    const to = ownPath(form.get('to') ?? '');
    const token = (form.get('token') ?? '').trim();
    const role = this.#gate.logIn(token, ask.address ?? '');
    if (typeof role === 'number') {
      const reply = this.#form(to, `Too many wrong tokens. Try again in ${role} s.`, 429);
      return { ...reply, headers: { ...reply.headers, 'retry-after': String(role) } };
    }
    if (role === 'wrong') return this.#form(to, 'This is not the token of this server.', 401);
    return redirect(
      to,
      `${SESSION_COOKIE}=${this.#gate.access.beginSession(role)}; Max-Age=${SESSION_MS / 1000}`,
      headers,
    );
  }

  logOut({ headers }: WebRequest): Reply {
    return redirect('/login', `${SESSION_COOKIE}=; Max-Age=0`, headers);
  }

  #form(to: string, wrong: string | undefined, status = 200): Reply {
    const content = html`<section class="message"><h1>Log in</h1>
${wrong !== undefined && html`<p role="alert">${wrong}</p>`}
<form method="post" action="/login" class="login">
<input type="hidden" name="to" value="${ownPath(to)}">
<p><label for="token">Token</label> <input id="token" name="token" type="password" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>
<p>Whoever started this server has the token: it was given to it, or printed when it started.</p></section>`;
    return this.#frame('Log in', content, status);
  }

  #loggedIn({ visitor }: WebRequest): Reply {
    const content = html`<section class="message"><h1>Logged in</h1>
<p>${visitor?.role === 'control' ? 'You may read everything and control the crawl.' : 'You may read everything.'} <a href="/">Start page</a></p>
<form method="post" action="/logout"><input type="hidden" name="csrf" value="${visitor?.csrf ?? ''}"><button type="submit">Log out</button></form></section>`;
    return this.#frame('Log in', content, 200);
  }
}

/** A path on this server; anything else becomes the start page. */
function ownPath(to: string): string {
  return /^\/(?![/\\])[\w\-./?=&%+~]*$/.test(to) ? to : '/';
}

/** Behind a proxy that speaks https the cookie goes over https alone. */
function redirect(location: string, cookie: string, headers: WebRequest['headers']): Reply {
  const secure = headers['x-forwarded-proto'] === 'https' ? '; Secure' : '';
  return {
    status: 303,
    headers: {
      ...{ location, 'cache-control': 'no-store' },
      'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Strict${secure}`,
    },
    body: '',
  };
}
