import { accessSync, constants } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import type {
  RenderGain,
  RenderingTotals,
  RenderOrder,
  RenderResult,
  RenderSigns,
  RenderVerdict,
} from '../../contracts/content/renderer.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { removeLeftovers } from '../../render/browser-profile.ts';
import { findBrowser } from '../../render/find-browser.ts';
import { type JudgeSnapshot, LearningJudge } from '../../render/render-judge.ts';
import { BrowserRenderer } from '../../render/renderer.ts';
import { type AskedResource, type LoadingPage, SubRequests } from '../../render/sub-requests.ts';
import { compilePattern } from '../../scope/url-pattern.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { PageNetworks } from './page-networks.ts';
import type { RenderService } from './page-rendering.ts';

/** What the state keeps from run to run. */
export interface KeptRendering {
  readonly lessons: JudgeSnapshot;
  readonly totals: RenderingTotals;
}

export interface RenderingSources {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly clock: Clock;
  readonly pages: Pick<PageStore, 'robots'>;
  /** As they are now. */
  readonly seeds: () => readonly string[];
  readonly read: () => KeptRendering | undefined;
  readonly write: (kept: KeptRendering) => void;
  /** Pages come from archives. */
  readonly isImport: boolean;
  readonly notice: (message: string) => void;
}

/** Types that wait without end, or report somewhere. */
const NEVER = ['eventsource', 'websocket', 'ping', 'cspviolationreport', 'signedexchange', 'prefetch', 'fedcm'];
/** So many pages may wait for each tab; then nothing more is claimed for a while. */
const WAITING_PER_TAB = 4;

const NO_BROWSER =
  'No Chrome or Chromium was found: pages are read as they are answered, without what their scripts would build. Install one, or name it with --browser.';

/** Who shows the pages of a crawl; undefined where none is shown. */
export function openRendering(sources: RenderingSources): Rendering | undefined {
  const { settings, notice, folder } = sources;
  removeLeftovers(folder);
  // What pages of an archive load would come from the network of today.
  if (settings.render === 'never' || settings.fromWarc.length > 0 || sources.isImport) return undefined;
  const path = browserOf(settings);
  if (path !== undefined) return new Rendering(sources, path);
  if (settings.render === 'auto') {
    notice(NO_BROWSER);
    return undefined;
  }
  throw new OrbweaverError('BROWSER_MISSING', 'No Chrome or Chromium was found on this machine.', {
    remedy: 'Install one, name it with --browser, or use --render auto to go on without.',
  });
}

/** The program that shows pages: the one that is named, or the first that is found. */
export function browserOf({ browser }: Pick<Settings, 'browser'>): string | undefined {
  return browser === '' ? findBrowser() : namedBrowser(browser);
}

function namedBrowser(path: string): string {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch (cause) {
    throw new OrbweaverError('BROWSER_MISSING', `The browser ${path} cannot be run.`, {
      remedy: 'Name the program itself with --browser, not a folder; or leave it out, to have one found.',
      cause,
    });
  }
}

/** One browser for all threads of a crawl, with what it has learnt. */
export class Rendering implements RenderService, AsyncDisposable {
  readonly #renderer: BrowserRenderer;
  readonly #judge: LearningJudge;
  readonly #closeNetwork: () => Promise<void>;
  readonly #tabs: number;
  readonly #write: (kept: KeptRendering) => void;
  readonly #before: RenderingTotals | undefined;
  #saved = '';

  constructor(sources: RenderingSources, path: string) {
    const { folder, settings, version, clock, pages, seeds, read, write, notice } = sources;
    const networks = new PageNetworks({ settings, version, clock, pages, seeds });
    const requests = new SubRequests({
      fetcherFor: (page) => networks.fetcherFor(page),
      blocked: new Set([...settings.renderBlock, ...NEVER]),
      refusal: refusalBy(settings, networks),
      perHost: settings.hostConcurrency,
      backoffMs: settings.backoffStart,
      now: () => clock.now(),
      maxBytes: settings.maxBody,
    });
    const kept = read();
    this.#judge = new LearningJudge(kept?.lessons);
    this.#before = kept?.totals;
    this.#tabs = settings.renderTabs;
    this.#write = write;
    this.#closeNetwork = async () => await networks[Symbol.asyncDispose]();
    this.#renderer = new BrowserRenderer(
      {
        browser: {
          ...{ path, folder, sandbox: settings.browserSandbox },
          images: !settings.renderBlock.includes('image'),
        },
        tabs: settings.renderTabs,
        timeoutMs: settings.renderTimeout,
        scrolls: settings.renderScrolls,
        controls: settings.renderControls,
        screenshot: settings.renderScreenshot,
        keepResources: settings.renderResources,
        memory: settings.renderMemory,
        maxBytes: settings.maxBody,
        userAgent: userAgentOf(settings, version),
      },
      { requests, isPrivate: (order) => networks.isPrivate(order), now: () => clock.now(), notice },
    );
  }

  /** More pages wait than will soon be shown. */
  get isFull(): boolean {
    return this.#renderer.waiting >= WAITING_PER_TAB * this.#tabs;
  }

  /** Of all runs. */
  get totals(): RenderingTotals {
    const { counts } = this.#renderer;
    if (this.#before === undefined) return { ...counts };
    const sums = Object.entries(this.#before).map(([name, count]) => [
      name,
      count + (counts[name as keyof typeof counts] ?? 0),
    ]);
    return Object.fromEntries(sums) as RenderingTotals;
  }

  render(order: RenderOrder): Promise<RenderResult> {
    return this.#renderer.render(order);
  }

  judge(signs: RenderSigns): Promise<RenderVerdict> {
    const why = this.#renderer.unavailable;
    return why === undefined ? this.#judge.judge(signs) : Promise.resolve({ render: false, why });
  }

  learn(signs: RenderSigns, gain: RenderGain): void {
    this.#judge.learn(signs, gain);
  }

  fail(signs: RenderSigns): void {
    this.#judge.fail(signs);
  }

  /** Writes down what was learnt, for the next run. */
  save(): void {
    const { totals } = this;
    const key = JSON.stringify(totals);
    if (key === this.#saved) return;
    this.#saved = key;
    this.#write({ lessons: this.#judge.snapshot(), totals });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renderer[Symbol.asyncDispose]();
    await this.#closeNetwork();
  }
}

/** Who says no to what a page wants to load: `exclude`, its hosts, robots.txt. The address guard asks at the connection itself. */
function refusalBy(
  settings: Settings,
  networks: PageNetworks,
): (asked: AskedResource, page: LoadingPage) => Promise<string | undefined> {
  const excluded = settings.exclude.map(compilePattern);
  const guarded = new Set([...Object.keys(settings.header), ...Object.keys(settings.credentials)]);
  return async ({ url: asked, type }, loading) => {
    const { url: page } = loading;
    const url = asked.split('#', 1)[0] as CanonicalUrl;
    if (excluded.some((pattern) => pattern.matches(url))) return 'exclude';
    const isOwnSite = siteOf(url) === siteOf(page);
    if (!isOwnSite && type === 'Document') return 'frame';
    if (!isOwnSite && settings.renderHosts === 'site') return 'host';
    // What is sent to an origin alone (headers, credentials) is not lent to the pages of others.
    if (originOf(url) !== originOf(page) && guarded.has(originOf(url))) return 'credentials';
    return settings.robots && !(await networks.robotsFor(loading).allows(url)) ? 'robots' : undefined;
  };
}

function siteOf(url: CanonicalUrl): string {
  const host = hostKeyOf(url).replace(/:\d+$/, '');
  return registrableDomain(host) ?? hostKeyOf(url);
}
