import type { CdpConnection, CdpListener } from './cdp-connection.ts';
import { pageScript } from './page-script.ts';

export interface TabOptions {
  readonly userAgent: string;
}

/** Higher than a screen: lists that fill themselves as one looks on are fuller at once. */
const VIEW = { width: 1280, height: 2000, deviceScaleFactor: 1, mobile: false };
/** In which the browser gives a context up; longer, and it hangs. */
const CLOSE_MS = 10_000;
const SETUP_MS = 20_000;

/** A tab in a context of its own: cookies, storage and cache are those of nobody else, and gone with it. */
export class Tab {
  readonly #connection: CdpConnection;
  readonly #context: string;
  readonly target: string;
  readonly #session: string;
  readonly #listening: Disposable[] = [];
  readonly #children = new Set<string>();

  private constructor(connection: CdpConnection, context: string, target: string, session: string) {
    this.#connection = connection;
    this.#context = context;
    this.target = target;
    this.#session = session;
  }

  static async open(connection: CdpConnection, { userAgent }: TabOptions): Promise<Tab> {
    const { browserContextId } = await connection.send<{ browserContextId: string }>('Target.createBrowserContext', {
      disposeOnDetach: true,
    });
    // A popup is a target of the same context: it is seen and closed as soon as it is there.
    const create = { url: 'about:blank', browserContextId };
    const { targetId } = await connection.send<{ targetId: string }>('Target.createTarget', create);
    const attach = { targetId, flatten: true };
    const { sessionId } = await connection.send<{ sessionId: string }>('Target.attachToTarget', attach);
    const tab = new Tab(connection, browserContextId, targetId, sessionId);
    await Promise.all([
      connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      tab.send('Page.enable', {}, SETUP_MS),
      tab.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, SETUP_MS),
      tab.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript('hooks') }, SETUP_MS),
      tab.send('Emulation.setUserAgentOverride', { userAgent }, SETUP_MS),
      tab.send('Emulation.setDeviceMetricsOverride', VIEW, SETUP_MS),
      tab.send('Emulation.setFocusEmulationEnabled', { enabled: true }, SETUP_MS),
      tab.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, SETUP_MS),
    ]);
    return tab;
  }

  send<T = object>(method: string, params: object = {}, patienceMs?: number): Promise<T> {
    return this.#connection.send<T>(method, params, this.#session, patienceMs);
  }

  /** To a frame or worker of the page, where a session is named. */
  sendTo(session: string | undefined, method: string, params: object = {}): Promise<object> {
    return this.#connection.send(method, params, session ?? this.#session);
  }

  /** Of the page, and of frames that have processes of their own: with `session`. */
  listen(listener: (event: Parameters<CdpListener>[0], session?: string) => void): void {
    this.#listening.push(this.#connection.listen((event) => listener(event), this.#session));
    this.#onChild = (session) => {
      this.#listening.push(this.#connection.listen((event) => listener(event, session), session));
    };
  }

  #onChild: ((session: string) => void) | undefined;

  /** A frame or a worker of the page has begun and waits to be let go. Others than those that belong to the page are closed. */
  async take({ sessionId, targetInfo }: AttachedTarget): Promise<void> {
    const { type, targetId } = targetInfo;
    if (type !== 'iframe' && type !== 'worker') {
      await this.#connection.send('Target.closeTarget', { targetId });
      return;
    }
    this.#children.add(sessionId);
    this.#onChild?.(sessionId);
    if (type === 'iframe') {
      await Promise.all([
        this.sendTo(sessionId, 'Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
        this.sendTo(sessionId, 'Page.enable'),
        this.sendTo(sessionId, 'Page.addScriptToEvaluateOnNewDocument', { source: pageScript('hooks') }),
        this.sendTo(sessionId, 'Target.setAutoAttach', {
          ...{ autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        }),
      ]);
    }
    await this.sendTo(sessionId, 'Runtime.runIfWaitingForDebugger');
  }

  /** Rejects where the browser does not give it up: then the browser itself must go. */
  async close(why: string): Promise<void> {
    for (const listening of this.#listening) listening[Symbol.dispose]();
    // What waits for an answer of the page waits in vain.
    for (const session of [this.#session, ...this.#children]) this.#connection.endSession(session, why);
    await this.#connection.send(
      'Target.disposeBrowserContext',
      { browserContextId: this.#context },
      undefined,
      CLOSE_MS,
    );
  }
}

export interface AttachedTarget {
  readonly sessionId: string;
  readonly targetInfo: { readonly type: string; readonly targetId: string; readonly url: string };
}
