import { OrbweaverError } from '../../base/errors.ts';
import { settingName } from '../../base/settings/setting-names.ts';
import { shellWord } from '../../base/shell-word.ts';
import type {
  ControlState,
  ControlStore,
  CrawlOperation,
  OperationSource,
  RecordedOperation,
} from '../../contracts/crawl-control.ts';
import type { HostKey } from '../../contracts/url.ts';
import { isFolderLocked } from '../../engines/folder-lock.ts';
import { openControl } from '../../engines/open-control.ts';
import { hasState } from '../../engines/state-folder.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import { defaultUrlOptions } from '../../url/url-options.ts';
import { readSwitches, writeSwitches } from '../learning/switches.ts';
import { CHANGEABLE_SETTINGS, changeableKey, checkedValue } from './live-settings.ts';

/** How a crawl stands by what was asked of it. */
export interface ControlView extends ControlState {
  /** A process has the folder: its crawl takes up operations within about a second. */
  readonly running: boolean;
  /** The pause was taken up; false where requests may still be begun. */
  readonly isPauseTaken: boolean;
  /** Groups of URLs that were opened or held by hand. */
  readonly patterns: Readonly<Record<string, 'open' | 'hold'>>;
  /** Names of settings that can change. */
  readonly changeable: readonly string[];
}

/** Most URLs of one operation. */
export const MOST_URLS = 1000;
const MOST_URL_LENGTH = 8192;
const MOST_PATTERN_LENGTH = 8192;
const LOOK_EVERY_MS = 50;

/** Asks something of the crawl in a folder, that runs in this process, in another, or not at all. */
export class FolderControl implements Disposable {
  readonly folder: string;
  readonly #store: ControlStore;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    if (!hasState(folder))
      throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no crawl in ${folder}.`, {
        remedy: `Start one with: orbweaver crawl URL --dir ${shellWord(folder)}`,
      });
    this.folder = folder;
    this.#now = now;
    this.#store = openControl(folder);
  }

  /** Durable when it answers. Throws where the operation makes no sense; what a crawl makes of it is told by `operation`. */
  ask(operation: CrawlOperation, by: OperationSource): RecordedOperation {
    const checked = checkedOperation(operation);
    if (checked.kind === 'pattern') this.#turn(checked.pattern, checked.state);
    return this.#store.record(checked, by, this.#now());
  }

  /** Throws as `ask` would. */
  check(operation: CrawlOperation): void {
    checkedOperation(operation);
  }

  view(): ControlView {
    const state = this.#store.state();
    const running = isFolderLocked(this.folder);
    return {
      ...state,
      running,
      isPauseTaken:
        state.pausedAt !== undefined && !this.#store.untaken().some(({ operation }) => operation.kind === 'pause'),
      patterns: readSwitches(this.folder).traps,
      changeable: CHANGEABLE_SETTINGS.map(settingName),
    };
  }

  operation(id: number): RecordedOperation | undefined {
    return this.#store.operation(id);
  }

  /** The newest first. */
  operations(max: number): readonly RecordedOperation[] {
    return this.#store.operations(max);
  }

  /** What became of an operation, as soon as a crawl has taken it up; as it stands where none does in time. */
  async settled({ id }: RecordedOperation, timeoutMs: number): Promise<RecordedOperation | undefined> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const operation = this.#store.operation(id);
      if (operation?.takenAt !== undefined || performance.now() >= until || !isFolderLocked(this.folder))
        return operation;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }

  #turn(pattern: string, state: 'open' | 'hold' | 'learn'): void {
    const switches = readSwitches(this.folder);
    const { [pattern]: _before, ...others } = switches.traps;
    writeSwitches(this.folder, { ...switches, traps: state === 'learn' ? others : { ...others, [pattern]: state } });
  }
}

/** The host of a URL, or a host as it is listed. */
export function askedHost(text: string): HostKey {
  const trimmed = text.trim();
  const url = normalizeUrl(/^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`, defaultUrlOptions);
  if (url !== undefined && trimmed !== '' && (/^https?:\/\//i.test(trimmed) || !/[/?#@]/.test(trimmed)))
    return hostKeyOf(url);
  throw new OrbweaverError('USAGE', `${text} is not a host.`, {
    remedy: 'Write it as example.org, as example.org:8080, or as a URL of it.',
  });
}

function checkedOperation(operation: CrawlOperation): CrawlOperation {
  switch (operation.kind) {
    case 'pause':
    case 'resume':
    case 'stop':
      return { kind: operation.kind };
    case 'set': {
      const { name, value } = operation;
      changeableKey(name);
      return { kind: 'set', name, value: value === null ? null : checkedValue(name, value) };
    }
    case 'host':
      return { kind: 'host', host: askedHost(operation.host), state: operation.state };
    case 'pattern':
      return { kind: 'pattern', pattern: checkedPattern(operation.pattern), state: operation.state };
    case 'submit':
    case 'requeue':
      return { kind: operation.kind, urls: checkedUrls(operation.urls) };
  }
}

function checkedPattern(pattern: string): string {
  const trimmed = pattern.trim();
  if (trimmed !== '' && trimmed.length <= MOST_PATTERN_LENGTH) return trimmed;
  throw new OrbweaverError('USAGE', 'No pattern was given.', {
    remedy: 'orbweaver traps --all lists the patterns that a crawl has learnt.',
  });
}

function checkedUrls(urls: readonly string[]): readonly string[] {
  if (urls.length === 0 || urls.length > MOST_URLS)
    throw new OrbweaverError('USAGE', `Name 1 to ${MOST_URLS.toLocaleString('en')} URLs at a time.`);
  const wrong = urls.find((url) => url.length > MOST_URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url));
  if (wrong === undefined) return urls;
  throw new OrbweaverError('USAGE', `${wrong.slice(0, 200)} is not an http or https URL.`, {
    remedy: 'Write it as https://example.org/path.',
  });
}
