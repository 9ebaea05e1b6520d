import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LibraryCrawl } from '../src/contracts/crawl-library.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/orbweaver.cjs', import.meta.url));

interface StartOptions {
  readonly port?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** `orbweaver start` on a library, as a process that can be killed. */
export class RunningApp implements AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: string, child: ChildProcess, token: string | undefined) {
    this.url = url;
    this.process = child;
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  /** `port`: where another one was before; any by default. */
  static async start(library: string, { port = '0', env = {} }: StartOptions = {}): Promise<RunningApp> {
    const given = [LAUNCHER, 'start', '--dir', library, '--port', port];
    const child = spawn(process.execPath, given, { env: { ...process.env, ...env } });
    const ended = endOf(child);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()));
      ended.then(({ stderr }) => reject(new Error(stderr)), reject);
    });
    return new RunningApp(url, child, env.ORBWEAVER_CONTROL_TOKEN);
  }

  async crawls(): Promise<LibraryCrawl[]> {
    const answer = await fetch(`${this.url}crawls.json`, { headers: this.#headers });
    const { crawls } = (await answer.json()) as { crawls: LibraryCrawl[] };
    return crawls;
  }

  /** Waits until a crawl is as a test wants it. */
  async until(name: string, holds: (crawl: LibraryCrawl) => boolean): Promise<LibraryCrawl> {
    let last: LibraryCrawl | undefined;
    for (let looks = 0; looks < 3000; looks++) {
      last = (await this.crawls()).find((crawl) => crawl.name === name);
      if (last !== undefined && holds(last)) return last;
      await pause(100);
    }
    throw new Error(`It never came to this: ${JSON.stringify(last)}`);
  }

  /** Sends a form as a page of the app does. */
  async send(path: string, fields: Record<string, string> = {}): Promise<Response> {
    const page = await (await fetch(`${this.url}new`)).text();
    const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1];
    assert.ok(csrf !== undefined);
    const body = new URLSearchParams({ csrf, ...fields });
    return await fetch(new URL(path, this.url), { method: 'POST', body, redirect: 'manual' });
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('exit', resolve));
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    this.process.kill(signal);
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGTERM');
  }
}

function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => {
    stderr += data;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stderr }));
  });
}

/** Kills the process of a crawl. */
export function killProcess(pid: number | undefined): void {
  assert.ok(pid !== undefined && pid > 0, 'there is a process');
  process.kill(pid, 'SIGKILL');
}

/** Waits until a process has gone. One that is killed because it was slow to end goes a moment later than whoever killed it. */
export async function untilGone(pid: number | undefined): Promise<void> {
  for (let looks = 0; isAlive(pid); looks++) {
    assert.ok(looks < 3000, `the process ${pid} goes on`);
    await pause(20);
  }
}

export function isAlive(pid: number | undefined): boolean {
  // 0 and numbers below it mean groups of processes, this one among them.
  if (pid === undefined || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
