import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';

/** An address of this machine that no page may reach: loopback, but not the one the site itself has. */
export const PRIVATE = '127.0.0.2';

const page = (name: string, code: string) =>
  `<!doctype html><title>${name}</title><p>before ${name}</p><a href="/after-${name}">after</a><script>${code}</script>`;

/** What hostile pages do, by name. `SECRET` is where nobody may go, by TCP and by UDP. */
const PAGES: Readonly<Record<string, string>> = {
  alerts:
    'for (let i = 0; i < 1e5; i++) alert(i); setInterval(() => { confirm("x"); prompt("y"); print(); }, 1); onbeforeunload = () => "stay";',
  loop: 'for (;;);',
  hog: 'const held = []; setInterval(() => { const part = new Uint8Array(40e6); part.fill(1); held.push(part); }, 1);',
  heap: 'const held = []; for (;;) held.push(Array.from({ length: 1e5 }, () => ({ x: Math.random() })));',
  popups:
    'setInterval(() => { open("/popup"); const a = document.createElement("a"); a.href = "/blank"; a.target = "_blank"; document.body.append(a); a.click(); }, 1);',
  downloads:
    'const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["x".repeat(1e6)])); a.download = "x.exe"; document.body.append(a); for (let i = 0; i < 50; i++) a.click(); location.href = "/file.zip";',
  redirect: 'setTimeout(() => { location.href = "http://SECRET/by-redirect"; }, 10);',
  fetches:
    'for (const to of ["http://SECRET/", "http://SECRET/x?", "http://localhost:PORT/", "http://[::1]:PORT/", "http://169.254.169.254/latest/meta-data/", "http://rebound.test:PORT/", "file:///etc/passwd"]) { fetch(to, { mode: "no-cors" }).catch(() => {}); new Image().src = to; const s = document.createElement("script"); s.src = to; document.head.append(s); const f = document.createElement("iframe"); f.src = to; document.body.append(f); navigator.sendBeacon(to, "x"); const l = document.createElement("link"); l.rel = "stylesheet"; l.href = to; document.head.append(l); } fetch("/to-private"); const x = new XMLHttpRequest(); x.open("POST", "http://SECRET/"); x.send("x");',
  worker:
    'navigator.serviceWorker.register("/sw.js").catch(() => {}); new Worker(URL.createObjectURL(new Blob([`fetch("http://SECRET/from-worker", { mode: "no-cors" }).catch(() => {}); new WebSocket("ws://SECRET/");`])));',
  sockets:
    'new WebSocket("ws://SECRET/"); new WebSocket("ws://rebound.test:PORT/"); new EventSource("http://SECRET/events"); const f = document.createElement("iframe"); f.srcdoc = `<script>new parent.WebSocket("ws://SECRET/frame"); try { new RTCPeerConnection() } catch {}<\\/script>`; document.body.append(f);',
  calls:
    'const f = document.createElement("iframe"); document.documentElement.append(f); for (const w of [window, f.contentWindow]) { const R = w.RTCPeerConnection; if (R) { const c = new R({ iceServers: [{ urls: "stun:SECRET" }, { urls: "turn:SECRET?transport=tcp", username: "u", credential: "p" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)); } }',
  form: 'const f = document.createElement("form"); f.method = "post"; f.action = "http://SECRET/form"; document.body.append(f); f.submit();',
  reload: 'setInterval(() => location.reload(), 1);',
  history: 'let n = 0; setInterval(() => history.pushState({}, "", "/h" + n++), 0);',
  nested:
    'let e = document.body; for (let i = 0; i < 50000; i++) { const d = document.createElement("div"); e.append(d); e = d; }',
  prototypes:
    'Array.prototype.join = String.prototype.replace = Map.prototype.get = () => { throw 1; }; Object.defineProperty(Element.prototype, "attributes", { get() { throw 1; } });',
};

/** A site of pages that attack whoever renders them, and what they must not reach. */
export class HostileScripts implements AsyncDisposable {
  readonly requests: string[] = [];
  /** Whatever reached what nobody may reach. */
  readonly reached: string[] = [];
  readonly #site: Server;
  readonly #secret: TcpServer;
  readonly #datagrams: UdpSocket;

  private constructor(site: Server, secret: TcpServer, datagrams: UdpSocket) {
    this.#site = site;
    this.#secret = secret;
    this.#datagrams = datagrams;
    secret.on('connection', (socket) => {
      this.reached.push('a connection');
      socket.on('data', (data) => this.reached.push(String(data).slice(0, 200))).on('error', () => {});
    });
    datagrams.on('message', () => this.reached.push('a datagram'));
    site.on('request', (request, response) => {
      const path = request.url ?? '/';
      this.requests.push(`${request.method} ${request.headers.host} ${path}`);
      const name = path.slice(1);
      const code = PAGES[name];
      if (path === '/')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(this.names.map((it) => `<a href="/${it}">${it}</a>`).join(''));
      else if (code !== undefined)
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(name, this.#filled(code)));
      else if (path === '/to-private') response.writeHead(302, { location: `http://${this.secret}/redirected` }).end();
      else if (path.startsWith('/after-'))
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${path} was reached</p>`);
      else response.writeHead(404).end();
    });
  }

  static async start(): Promise<HostileScripts> {
    const site = createServer();
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const secret = createTcpServer();
    await new Promise<void>((resolve) => secret.listen(0, PRIVATE, resolve));
    const { port } = secret.address() as AddressInfo;
    const datagrams = createSocket('udp4');
    await new Promise<void>((resolve) => datagrams.bind(port, PRIVATE, resolve));
    return new HostileScripts(site, secret, datagrams);
  }

  get names(): string[] {
    return Object.keys(PAGES);
  }

  get origin(): string {
    return `http://hostile.test:${(this.#site.address() as AddressInfo).port}`;
  }

  get secret(): string {
    return `${PRIVATE}:${(this.#secret.address() as AddressInfo).port}`;
  }

  /** `rebound.test` is a name that leads to where nobody may go. */
  get hosts(): Record<string, string> {
    return { 'hostile.test': '127.0.0.1', 'rebound.test': PRIVATE };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#site.closeAllConnections();
    this.#datagrams.close();
    await Promise.all([
      new Promise((resolve) => this.#site.close(resolve)),
      new Promise((resolve) => this.#secret.close(resolve)),
    ]);
  }

  #filled(code: string): string {
    return code.replaceAll('SECRET', this.secret).replaceAll('PORT', this.secret.split(':')[1]);
  }
}
