import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));
const TAIL = 4000;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to standard error. */
  readonly stderr: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface ProcessSample {
  readonly rssBytes: number;
  /** Without the segments of the index. */
  readonly files: number;
  /** Files of segments that the index names; they grow with its documents, by steps. One that was removed counts as a file. */
  readonly segments: number;
  readonly sockets: number;
}

/** One life of the crawl process. */
export class CrawlProcess {
  readonly startedAt = Date.now();
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
  #end: ProcessEnd | undefined;

  constructor(args: readonly string[], logFile: string, env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'ignore', 'pipe'], env });
    let stderr = '';
    this.#child.stderr?.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-TAIL);
      appendFileSync(logFile, chunk);
    });
    this.ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => {
        this.#end = { code, signal, stderr, at: Date.now() };
        resolve(this.#end);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Undefined while it lives. */
  get end(): ProcessEnd | undefined {
    return this.#end;
  }

  async send(signal: NodeJS.Signals, patienceMs: number): Promise<ProcessEnd | undefined> {
    this.#child.kill(signal);
    const timer = new AbortController();
    const late = new Promise<undefined>((resolve) => {
      const timeout = setTimeout(() => resolve(undefined), patienceMs);
      timer.signal.addEventListener('abort', () => clearTimeout(timeout));
    });
    const end = await Promise.race([this.ended, late]);
    timer.abort();
    return end;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** What the kernel says of it; undefined when it is gone. */
  sample(): ProcessSample | undefined {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
      const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
      if (!Number.isFinite(rss)) return undefined;
      const kinds = readdirSync(`/proc/${this.pid}/fd`).map((fd) => kindOf(`/proc/${this.pid}/fd/${fd}`));
      const count = (wanted: Handle): number => kinds.filter((kind) => kind === wanted).length;
      return { rssBytes: rss * 1024, files: count('file'), segments: count('segment'), sockets: count('socket') };
    } catch {
      return undefined;
    }
  }
}

type Handle = 'socket' | 'segment' | 'file';

function kindOf(path: string): Handle {
  try {
    const target = readlinkSync(path);
    if (target.startsWith('socket:')) return 'socket';
    return /\/index\/segment-\d+\.[a-z]+$/.test(target) ? 'segment' : 'file';
  } catch {
    return 'file';
  }
}
