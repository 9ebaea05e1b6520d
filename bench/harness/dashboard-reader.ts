/**
 * A browser that has the dashboard open, in a process of its own so that its work is nobody else's. On the word `watch` it loads the
 * page with its assets and listens to the events; on `leave` it goes, and tells what it was shown.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A number of pages that was shown from a moment on, in ms since the epoch. */
export interface ShownCount {
  readonly at: number;
  readonly pages: number;
}

export interface WatchReport {
  readonly shown: readonly ShownCount[];
  readonly events: number;
  readonly bytes: number;
  /** How long the page with its assets took to load. */
  readonly loadMs: number;
}

type Word = { readonly watch: string } | 'leave';

export class DashboardReader implements AsyncDisposable {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ['--read'], { execArgv: [] });

  watch(url: string): void {
    this.#child.send({ watch: url });
  }

  async leave(): Promise<WatchReport> {
    this.#child.send('leave');
    const [report] = await once(this.#child, 'message');
    return report as WatchReport;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }
}

/** The pages that an event shows; undefined where that part of the dashboard is as it was. */
export function shownPages(data: string): number | undefined {
  const tiles = (JSON.parse(data) as Readonly<Record<string, string>>)['d-tiles'];
  if (tiles === undefined) return undefined;
  const count = /<dt>pages? stored<\/dt><dd class="value">([\d,]+)<\/dd>/.exec(tiles)?.[1];
  if (count === undefined) throw new Error('the tiles of the dashboard show no number of pages');
  return Number(count.replaceAll(',', ''));
}

async function read(url: string, signal: AbortSignal): Promise<WatchReport> {
  const shown: ShownCount[] = [];
  const report = { shown, events: 0, bytes: 0, loadMs: 0 };
  const began = performance.now();
  try {
    await load(url, signal);
    report.loadMs = performance.now() - began;
    const response = await fetch(new URL('dashboard/events?span=all', url), { signal });
    if (!response.ok) throw new Error(`the events of the dashboard answered ${response.status}`);
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const at = performance.timeOrigin + performance.now();
      report.bytes += chunk.length;
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        if (!event.startsWith('data: ')) continue;
        report.events++;
        const pages = shownPages(event.slice('data: '.length));
        if (pages !== undefined) shown.push({ at, pages });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return report;
}

/** The page, and what it refers to. */
async function load(url: string, signal: AbortSignal): Promise<void> {
  const page = await (await fetch(new URL('dashboard', url), { signal })).text();
  const assets = [...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg)[^"]*)"/g)].map(([, address]) => address);
  await Promise.all(assets.map(async (asset) => (await fetch(new URL(asset, url), { signal })).arrayBuffer()));
}

if (process.argv[2] === '--read') {
  let gone = new AbortController();
  let reading: Promise<WatchReport> | undefined;
  process.on('message', async (word: Word) => {
    if (word !== 'leave') {
      gone = new AbortController();
      reading = read(word.watch, gone.signal);
      return;
    }
    gone.abort();
    process.send?.(await reading);
  });
  process.on('disconnect', () => process.exit(0));
}
