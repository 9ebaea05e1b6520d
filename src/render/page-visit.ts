import type { RenderedPage, RenderFailure, RenderOrder, SeenPage } from '../contracts/content/renderer.ts';
import type { CdpEvent } from './cdp-connection.ts';
import { browserHeaders, documentHeaders, type HeaderEntry, preflightHeaders } from './fulfilled-headers.ts';
import { PageWorld } from './page-world.ts';
import { ScriptLinks } from './script-links.ts';
import type { PageRequests } from './sub-requests.ts';
import type { AttachedTarget, Tab } from './tab.ts';
import { useControls } from './use-controls.ts';

export interface VisitOptions {
  readonly timeoutMs: number;
  /** How often the end of the page is looked at for more. */
  readonly scrolls: number;
  /** Controls (buttons, menus, options) that are used to see where they lead. */
  readonly controls: number;
  readonly screenshot: boolean;
  readonly maxBytes: number;
}

/** A page that did not come to its end. */
export class VisitFailure extends Error {
  override readonly name = 'VisitFailure';
  readonly code: RenderFailure['code'];

  constructor(code: RenderFailure['code'], detail: string) {
    super(detail);
    this.code = code;
  }
}

interface Paused {
  readonly requestId: string;
  readonly frameId?: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** What the page's own clocks may run on, ms of its time: timers for later are set off at once, as long as nothing is loading. */
const SETTLE_VIRTUAL_MS = 5000;
const STEP_VIRTUAL_MS = 1000;
/** Shares of the time: for what the page does by itself, for scrolling, for its controls. The rest is for reading it. */
const SETTLE_SHARE = 0.5;
const SCROLL_SHARE = 0.65;
const CONTROLS_SHARE = 0.85;
const FRAME_MS = 5000;
const SEE_MS = 5000;
/** Addresses that the router of one page may show. */
const MOST_ROUTED = 50;

/** One page in a tab, from our answer to what it has become. */
export class PageVisit {
  readonly #tab: Tab;
  readonly #order: RenderOrder;
  readonly #requests: PageRequests;
  readonly #options: VisitOptions;
  readonly #world: PageWorld;
  readonly #links: ScriptLinks;
  readonly #failed = Promise.withResolvers<never>();
  readonly #began = performance.now();
  #wasServed = false;
  #redirect: string | undefined;
  #isActing = false;
  #routed = 0;
  #loadMs: number | undefined;
  #budgetExpired: () => void = () => {};

  constructor(tab: Tab, order: RenderOrder, requests: PageRequests, options: VisitOptions) {
    this.#tab = tab;
    this.#order = order;
    this.#requests = requests;
    this.#options = options;
    this.#world = new PageWorld(tab);
    this.#links = new ScriptLinks(order.url);
    this.#failed.promise.catch(() => {});
    tab.listen((event, session) => this.#heard(event, session));
  }

  async run(): Promise<RenderedPage> {
    const { timeoutMs } = this.#options;
    const late = setTimeout(
      () => this.#failed.reject(new VisitFailure('timeout', `not done within ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      return await Promise.race([this.#show(), this.#failed.promise]);
    } finally {
      clearTimeout(late);
    }
  }

  async #show(): Promise<RenderedPage> {
    const { maxBytes, screenshot } = this.#options;
    await this.#tab.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
    await this.#tab.send('Page.navigate', { url: this.#order.url }, this.#left(SETTLE_SHARE));
    await this.#pass(SETTLE_VIRTUAL_MS, this.#left(SETTLE_SHARE));
    await this.#world.call('newLinks').catch(() => this.#interrupt());
    await this.#scroll();
    const seen = await this.#see();
    const { html, truncated } = await this.#read(maxBytes);
    // What is in the markup by now is no find of the controls.
    await this.#world.call('newLinks').catch(() => {});
    const picture = screenshot ? await this.#picture() : undefined;
    await this.#lookForLinks();
    const scriptLinks = this.#links.list;
    return {
      kind: 'rendered',
      html: Buffer.from(this.#links.appendTo(html)),
      truncated,
      ...(this.#redirect === undefined ? {} : { redirect: this.#redirect }),
      scriptLinks: scriptLinks.length,
      requests: this.#requests.counts,
      ...(picture === undefined ? {} : { screenshot: picture }),
      ...(seen === undefined ? {} : { seen }),
      ...(this.#loadMs === undefined ? {} : { loadMs: Math.round(this.#loadMs) }),
      ...(this.#requests.resources.length === 0 ? {} : { resources: this.#requests.resources }),
      ms: Math.round(performance.now() - this.#began),
    };
  }

  /** Lets the page go on for a time of its own, in which nothing waits but for what it loads. */
  async #pass(virtualMs: number, realMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#budgetExpired = resolve;
    const enough = setTimeout(resolve, realMs);
    const policy = { policy: 'pauseIfNetworkFetchesPending', budget: virtualMs };
    try {
      await Promise.all([this.#tab.send('Emulation.setVirtualTimePolicy', policy, realMs + 1000), promise]);
    } catch {
      // A page that is busy does not hear of it.
    } finally {
      clearTimeout(enough);
    }
  }

  /** Ends a script that does not end by itself. */
  async #interrupt(): Promise<void> {
    this.#world.forget();
    await this.#tab.send('Runtime.terminateExecution', {}, 2000).catch(() => {});
  }

  /** What watches whether it can be seen hears of that with the next picture, and acts when time goes on. */
  async #look(): Promise<void> {
    await this.#world.call('frame', [], FRAME_MS, true).catch(() => {});
    await this.#pass(STEP_VIRTUAL_MS, Math.min(3000, this.#left(SCROLL_SHARE)));
  }

  async #scroll(): Promise<void> {
    if (this.#options.scrolls === 0) return;
    // Before anything moves: it is to hear of the beginning first, as in front of a person.
    await this.#look();
    let before = '';
    let isStill = 0;
    for (let step = 0; step < this.#options.scrolls && isStill < 2 && this.#left(SCROLL_SHARE) > 0; step++) {
      try {
        await this.#world.call('scroll');
        await this.#look();
        const extent = (await this.#world.call<number[]>('extent')).join();
        isStill = extent === before ? isStill + 1 : 0;
        before = extent;
      } catch {
        return;
      }
    }
  }

  /** Before it is read: what was seen is marked in the copy. A page that is too busy to be looked at is read all the same. */
  async #see(): Promise<SeenPage | undefined> {
    try {
      return await this.#world.call<SeenPage>('see', [], SEE_MS);
    } catch {
      // The look itself may be what takes long: it is not to hold up the reading.
      await this.#interrupt();
      return undefined;
    }
  }

  async #read(maxBytes: number): Promise<{ readonly html: string; readonly truncated: boolean }> {
    const read = (): Promise<{ html: string; truncated: boolean }> =>
      this.#world.call('serialise', [maxBytes], Math.max(1000, this.#left(1) / 2));
    try {
      return await read();
    } catch {
      await this.#interrupt();
      return await read();
    }
  }

  /** Where handlers, menus and options lead. Whatever goes wrong here, the page itself has been read. */
  async #lookForLinks(): Promise<void> {
    try {
      this.#links.addAll(await this.#world.call<[string, string][]>('namedByHandlers'));
      this.#isActing = true;
      await useControls({
        ...{ tab: this.#tab, world: this.#world, links: this.#links, most: this.#options.controls },
        pass: (virtualMs, realMs) => this.#pass(virtualMs, Math.min(realMs, this.#left(CONTROLS_SHARE))),
        hasTime: () => this.#left(CONTROLS_SHARE) > 500,
      });
      const opened = await this.#tab.send<{ result: { value?: string[] } }>('Runtime.evaluate', {
        ...{ expression: 'globalThis.__orbweaverOpened', returnByValue: true },
      });
      for (const url of opened.result.value ?? []) this.#links.add(String(url));
    } catch {
      // The page has gone away, or is busy.
    }
  }

  async #picture(): Promise<Uint8Array | undefined> {
    try {
      const shot = { format: 'jpeg', quality: 70 };
      const { data } = await this.#tab.send<{ data: string }>('Page.captureScreenshot', shot, 5000);
      return Buffer.from(data, 'base64');
    } catch {
      return undefined;
    }
  }

  /** Ms of the time that are left until a share of it is over. */
  #left(share: number): number {
    return Math.max(0, this.#options.timeoutMs * share - (performance.now() - this.#began));
  }

  #heard({ method, params }: CdpEvent, session?: string): void {
    switch (method) {
      case 'Fetch.requestPaused':
        this.#answer(params as unknown as Paused, session);
        return;
      case 'Page.loadEventFired':
        this.#loadMs ??= performance.now() - this.#began;
        return;
      case 'Emulation.virtualTimeBudgetExpired':
        this.#budgetExpired();
        return;
      case 'Page.navigatedWithinDocument':
        if (params.frameId === this.#tab.target && this.#routed++ < MOST_ROUTED) this.#links.add(String(params.url));
        return;
      case 'Page.frameNavigated':
        if ((params.frame as { parentId?: string }).parentId === undefined) this.#world.forget();
        return;
      case 'Page.javascriptDialogOpening':
        this.#tab.sendTo(session, 'Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
        return;
      case 'Target.attachedToTarget': {
        const attached = params as unknown as AttachedTarget;
        if (attached.targetInfo.type === 'page') this.#links.add(attached.targetInfo.url);
        this.#tab.take(attached).catch(() => {});
        return;
      }
      case 'Inspector.targetCrashed':
        if (session === undefined) this.#failed.reject(new VisitFailure('crashed', 'the page crashed'));
        return;
      case 'Inspector.detached':
        if (session === undefined)
          this.#failed.reject(new VisitFailure('crashed', `the page was closed: ${String(params.reason)}`));
    }
  }

  /** A request that nobody answers would hold up the page. */
  #answer(paused: Paused, session?: string): void {
    this.#paused(paused, session).catch(() => this.#refuse(paused.requestId, session, 'Failed').catch(() => {}));
  }

  /** Nothing leaves the browser: every request waits here until it is answered by us, or refused. */
  async #paused({ requestId, frameId, resourceType, request }: Paused, session?: string): Promise<void> {
    const { url, method } = request;
    const isMain = resourceType === 'Document' && frameId === this.#tab.target;
    if (isMain) {
      if (!this.#wasServed) return await this.#serve(requestId);
      this.#noteNavigation(url, method);
      return await this.#refuse(requestId, session, 'Aborted');
    }
    if (/^(?:data|blob|about):/.test(url)) {
      await this.#tab.sendTo(session, 'Fetch.continueRequest', { requestId });
      return;
    }
    const answer = await this.#requests.answer({ url, method, type: resourceType, headers: request.headers });
    switch (answer.kind) {
      case 'answered': {
        const { head, body } = answer.result;
        return await this.#fulfil(requestId, session, head.status, browserHeaders(head.rawHeaders), body);
      }
      case 'preflight':
        return await this.#fulfil(requestId, session, 204, preflightHeaders(request.headers), new Uint8Array());
      case 'refused':
        return await this.#refuse(requestId, session, 'BlockedByClient');
      case 'failed':
        return await this.#refuse(requestId, session, 'Failed');
    }
  }

  /** The page itself was answered before the browser came in. */
  async #serve(requestId: string): Promise<void> {
    this.#wasServed = true;
    const { status, rawHeaders, body } = this.#order;
    await this.#fulfil(requestId, undefined, status, documentHeaders(rawHeaders), body);
  }

  #noteNavigation(url: string, method: string): void {
    // A form that was sent is no address.
    if (method !== 'GET') return;
    this.#links.add(url);
    if (!this.#isActing) this.#redirect ??= this.#links.has(url) ? url : undefined;
  }

  async #fulfil(
    requestId: string,
    session: string | undefined,
    responseCode: number,
    responseHeaders: readonly HeaderEntry[],
    body: Uint8Array,
  ): Promise<void> {
    const { buffer, byteOffset, byteLength } = body;
    await this.#tab.sendTo(session, 'Fetch.fulfillRequest', {
      ...{ requestId, responseCode, responseHeaders },
      body: Buffer.from(buffer, byteOffset, byteLength).toString('base64'),
    });
  }

  async #refuse(requestId: string, session: string | undefined, errorReason: string): Promise<void> {
    await this.#tab.sendTo(session, 'Fetch.failRequest', { requestId, errorReason });
  }
}
