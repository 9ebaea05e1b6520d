import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';

/** The pages of one crawl. */
export interface MountedApp extends AsyncDisposable {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface MountedCrawlsOptions {
  /** Opens the pages of a crawl folder, whose addresses begin at `mount`. */
  readonly open: (folder: string, mount: string) => Promise<MountedApp>;
  readonly clock: Pick<Clock, 'now'>;
  /** Open at once: each has threads and caches of its own. */
  readonly mostOpen?: number;
  readonly idleMs?: number;
}

const MOST_OPEN = 6;
const IDLE_MS = 300_000;
const LOOK_MS = 10_000;

interface Mounted {
  readonly app: Promise<MountedApp>;
  /** What was in the folder when it was opened; what is added needs a new one. */
  readonly version: string;
  uses: number;
  lastUse: number;
}

/** The apps of the crawls of a library: opened when somebody comes, closed when nobody has come for a while. */
export class MountedCrawls implements AsyncDisposable {
  readonly #options: MountedCrawlsOptions;
  readonly #open = new Map<string, Mounted>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: MountedCrawlsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.closeIdle(), LOOK_MS).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Answers by the app of a crawl; false where too many others are in use. Throws what opening throws. */
  async handle(crawl: MountRequest, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const mounted = await this.#use(crawl);
    if (mounted === undefined) return false;
    mounted.uses++;
    response.once('close', () => {
      mounted.uses--;
      mounted.lastUse = this.#options.clock.now();
    });
    const app = await mounted.app;
    await app.handle(request, response);
    return true;
  }

  /** Lets go of the files of a crawl. */
  async close(folder: string): Promise<void> {
    const mounted = this.#open.get(folder);
    this.#open.delete(folder);
    await mounted?.app.then(
      (app) => app[Symbol.asyncDispose](),
      () => {},
    );
  }

  async closeIdle(): Promise<void> {
    const now = this.#options.clock.now();
    const idle = [...this.#open].filter(
      ([, { uses, lastUse }]) => uses === 0 && now - lastUse >= (this.#options.idleMs ?? IDLE_MS),
    );
    await Promise.all(idle.map(([folder]) => this.close(folder)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#open.keys()].map((folder) => this.close(folder)));
  }

  async #use({ folder, mount, version }: MountRequest): Promise<Mounted | undefined> {
    const known = this.#open.get(folder);
    if (known !== undefined && known.version === version) return known;
    if (known !== undefined) await this.close(folder);
    else if (this.#open.size >= (this.#options.mostOpen ?? MOST_OPEN) && !(await this.#makeRoom())) return undefined;
    // Somebody else may have come first while room was made.
    const meanwhile = this.#open.get(folder);
    if (meanwhile !== undefined) return meanwhile;
    const app = this.#options.open(folder, mount);
    app.catch(() => this.#open.delete(folder));
    const mounted: Mounted = { app, version, uses: 0, lastUse: this.#options.clock.now() };
    this.#open.set(folder, mounted);
    return mounted;
  }

  /** Closes the one that was not used for longest. */
  async #makeRoom(): Promise<boolean> {
    const [oldest] = [...this.#open]
      .filter(([, { uses }]) => uses === 0)
      .sort(([, one], [, other]) => one.lastUse - other.lastUse);
    if (oldest === undefined) return false;
    await this.close(oldest[0]);
    return true;
  }
}

export interface MountRequest {
  readonly folder: string;
  readonly mount: string;
  readonly version: string;
}
