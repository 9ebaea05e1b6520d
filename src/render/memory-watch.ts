import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BrowserProcess } from './browser-process.ts';

interface ProcessInfo {
  readonly type: string;
  readonly id: number;
}

const LOOK_MS = 1000;
const KILOBYTE = 1024;

/**
 * Looks at what the browser takes. A page that takes too much is ended, as a crash of its tab; a browser that has grown too large gives
 * way to another. Where the system does not tell (Windows), the bounds of the engine and the number of pages are left.
 */
export class MemoryWatch implements Disposable {
  readonly #browser: BrowserProcess;
  readonly #limit: number;
  readonly #onFull: () => void;
  readonly #timer: NodeJS.Timeout;
  #isLooking = false;

  constructor(browser: BrowserProcess, limit: number, onFull: () => void) {
    this.#browser = browser;
    this.#limit = limit;
    this.#onFull = onFull;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#browser.hasEnded) return;
    this.#isLooking = true;
    try {
      const { processInfo } = await this.#browser.connection.send<{ processInfo: ProcessInfo[] }>(
        'SystemInfo.getProcessInfo',
      );
      const sizes = await sizesOf(processInfo.map(({ id }) => id));
      let sum = 0;
      for (const { id, type } of processInfo) {
        const size = sizes.get(id) ?? 0;
        sum += size;
        if (type === 'renderer' && size > this.#limit / 2) endPage(id);
      }
      if (sum > this.#limit) this.#onFull();
    } catch {
      // The browser has ended, or does not answer: others notice.
    } finally {
      this.#isLooking = false;
    }
  }
}

/** Bytes by process; private memory where the system tells it apart. */
async function sizesOf(ids: readonly number[]): Promise<Map<number, number>> {
  if (process.platform === 'linux') return new Map(ids.map((id) => [id, linuxSize(id)]));
  if (process.platform === 'win32') return new Map();
  const listed = await new Promise<string>((resolve) => {
    execFile('ps', ['-o', 'pid=,rss=', '-p', ids.join(',')], (_, stdout) => resolve(stdout));
  });
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return new Map(rows.filter(([id]) => id > 0).map(([id, kilobytes]) => [id, kilobytes * KILOBYTE]));
}

function linuxSize(id: number): number {
  try {
    const status = readFileSync(`/proc/${id}/status`, 'latin1');
    // Pages of files (the program itself) are shared by all: only what a process has for itself counts.
    return Number(/^RssAnon:\s*(\d+)/m.exec(status)?.[1] ?? 0) * KILOBYTE;
  } catch {
    return 0;
  }
}

/** The browser names its own processes; one that is none of its pages any more is left alone. */
function endPage(id: number): void {
  try {
    if (process.platform === 'linux' && !readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('--type=renderer'))
      return;
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
