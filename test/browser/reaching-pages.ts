import { type AddressInfo, createServer, type Server } from 'node:net';

/** An address of this machine that no page may reach: loopback, but not the one the web itself has. */
const PRIVATE = '127.0.0.2';

/** Ways in which a page gets at something, by the kind of request that follows. `TO` is where to. */
const LOAD = `
  fetch('TO?fetch', { mode: 'no-cors' }).catch(() => {});
  const x = new XMLHttpRequest(); x.open('GET', 'TO?xhr'); x.send();
  const s = document.createElement('script'); s.src = 'TO?script'; document.head.append(s);
  const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'TO?style'; document.head.append(l);`;
const SHOW = `
  const f = document.createElement('iframe'); f.src = 'TO?frame'; document.body.append(f);
  const a = document.createElement('a'); a.href = 'TO?link'; a.textContent = 'further'; document.body.append(a);
  const b = document.createElement('button'); b.textContent = 'open'; b.onclick = () => window.open('TO?opened'); document.body.append(b);
  const g = document.createElement('form'); g.action = 'TO?form'; document.body.append(g);
  setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<a href="TO?late">late</a>'); }, 300);`;

/** Where the pages lead, what they do about it, and whether scripts may load something from there by default. */
const TARGETS: Readonly<Record<string, { readonly to: string; readonly code: string }>> = {
  robots: { to: '/private/data', code: LOAD + SHOW },
  scope: { to: 'http://outside.test:PORT/page', code: SHOW },
  resources: { to: 'http://outside.test:PORT/resource', code: LOAD },
  address: { to: 'http://SECRET/', code: LOAD + SHOW },
  name: { to: 'http://rebound.test:SECRET_PORT/', code: LOAD + SHOW },
};
const GO = `location.replace('TO?redirect');`;

/** The pages of `reaching.test`: scripts that reach for what robots.txt, the scope or the address guard refuse, each `copies` times. */
export function reachingPage(path: string, copies: number, prose: (seed: number) => string): string | undefined {
  if (path === '/')
    return reachingPaths(copies)
      .flatMap((to) => [to, to.replace('/reach/', '/go/')])
      .concat(['/private/page', 'http://outside.test:PORT/page', 'http://SECRET/page'])
      .map((to) => `<a href="${to}">${to}</a>`)
      .join(' ');
  const [, does, name, copy] = /^\/(reach|go)\/([a-z]+)\/(\d+)$/.exec(path) ?? [];
  const target = TARGETS[name];
  if (target === undefined || Number(copy) >= copies) return undefined;
  const code = (does === 'go' ? GO : target.code).replaceAll('TO', target.to);
  const text = does === 'go' ? '' : `<p>${prose(90_000 + path.length * 100 + Number(copy))} ${name} ${copy}</p>`;
  return `${text}<script>{${code}}</script>`;
}

/** Those that are pages themselves; the others lead elsewhere. */
export function reachingPaths(copies: number): string[] {
  return Object.keys(TARGETS).flatMap((name) => Array.from({ length: copies }, (_, copy) => `/reach/${name}/${copy}`));
}

/** A port at an address that is not to be reached, and whoever did. */
export class ForbiddenAddress implements AsyncDisposable {
  connections = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.connections++;
      socket.on('error', () => {}).destroy();
    });
  }

  /** Linux has the whole of 127.0.0.0/8 without being told. */
  static async listen(): Promise<ForbiddenAddress> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, PRIVATE, resolve));
    return new ForbiddenAddress(server);
  }

  get address(): string {
    return PRIVATE;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
