import { join } from 'node:path';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { RunningApp } from '../running-app.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { BrowserTab } from './dev-tools.ts';
import { countShifts, faultsOfView } from './seen-view.ts';

const found = findChromium();
/** Why there is nothing to drive; false where there is a browser. */
export const withoutBrowser = 'missing' in found ? found.missing : false;

/** Addresses on a page of the crawl that left its mount; those of the library are meant. */
const ASTRAY = `[...document.querySelectorAll('main [href^="/"], main [action^="/"]')].map((part) => part.getAttribute('href') ?? part.getAttribute('action')).filter((address) => !address.startsWith(location.pathname.split('/').slice(0, 3).join('/') + '/'))`;

/** The button of a form of the control page. */
export function operation(what: string): string {
  return `form:has(input[name="do"][value="${what}"]) button`;
}

/** `orbweaver start` on an empty library, and somebody who uses it in a browser. */
export class DrivenApp implements AsyncDisposable {
  readonly folder: string;
  app: RunningApp;
  readonly chromium: Chromium;
  readonly tab: BrowserTab;
  /** What was wrong with the views that were seen. */
  readonly wrong: string[] = [];
  readonly #opened: AsyncDisposableStack;

  private constructor(
    folder: string,
    app: RunningApp,
    chromium: Chromium,
    tab: BrowserTab,
    opened: AsyncDisposableStack,
  ) {
    this.folder = folder;
    this.app = app;
    this.chromium = chromium;
    this.tab = tab;
    this.#opened = opened;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<DrivenApp> {
    await using opened = new AsyncDisposableStack();
    const folder = opened.use(temporaryFolder()).path;
    const app = opened.use(await RunningApp.start(join(folder, 'crawls'), { env }));
    const chromium = opened.use(await Chromium.start('path' in found ? found.path : ''));
    const tab = await chromium.openTab();
    await countShifts(tab);
    return new DrivenApp(folder, app, chromium, tab, opened.move());
  }

  /** Looks at the page as it is shown, in all sizes and colours. */
  async see(name: string): Promise<void> {
    this.wrong.push(...(await faultsOfView(this.tab, name)));
    if (await this.tab.evaluate<boolean>("location.pathname.startsWith('/crawls/')"))
      this.wrong.push(...(await this.tab.evaluate<string[]>(ASTRAY)).map((address) => `${name}: ${address}`));
  }

  open(path: string): Promise<void> {
    return this.tab.open(this.app.url + path);
  }

  /** Clicks on what leads to another page. */
  press(selector: string): Promise<void> {
    return press(this.tab, selector);
  }

  text(selector: string): Promise<string> {
    return this.tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
  }

  /** Types into a field, in place of what is there. */
  async fill(id: string, value: string): Promise<void> {
    await this.tab.evaluate(
      `(() => { const field = document.getElementById(${JSON.stringify(id)}); field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event('change')); })()`,
    );
  }

  /** Another process in the place of one that was killed. */
  async restart(): Promise<void> {
    const { port } = new URL(this.app.url);
    this.app = this.#opened.use(await RunningApp.start(join(this.folder, 'crawls'), { port }));
  }

  /** Somebody else, with a browser of their own. */
  async anotherBrowser(): Promise<BrowserTab> {
    const chromium = this.#opened.use(await Chromium.start('path' in found ? found.path : ''));
    return await chromium.openTab();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

export async function press(tab: BrowserTab, selector: string): Promise<void> {
  await tab.leave(async () => {
    await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);
    await tab.click(selector);
  });
}
