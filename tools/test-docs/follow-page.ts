import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgres, startPostgres } from '../../test/postgres-server.ts';
import { missingLine, type ShellStep } from './shell-steps.ts';

const STEP_LIMIT_MS = 600_000;
/** What runs in the background has to say so within this time. */
const BACKGROUND_LIMIT_MS = 180_000;
const BIN = join(import.meta.dirname, '..', '..', 'bin', 'orbweaver.cjs');

export interface StepResult {
  readonly step: ShellStep;
  /** What went wrong; undefined where the step went well or was not run. */
  readonly failure?: string;
  readonly seconds: number;
}

/** Types the steps into one shell, in a folder of its own, as a reader would; ends with the first that fails. */
export async function followPage(steps: readonly ShellStep[]): Promise<StepResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-guide-'));
  const postgres = steps.some(({ needs }) => needs === 'PostgreSQL') ? findPostgres() : 'not needed';
  await using server = typeof postgres === 'string' ? undefined : await startPostgres(postgres);
  await using shell = new Shell(folder, server === undefined ? {} : { ORBWEAVER_STORE: server.url });
  const results: StepResult[] = [];
  for (const asked of steps) {
    const step = asked.needs !== undefined && typeof postgres === 'string' ? { ...asked, notRun: postgres } : asked;
    const began = performance.now();
    const failure = step.notRun === undefined ? await shell.run(step) : undefined;
    const seconds = (performance.now() - began) / 1000;
    results.push({ step, seconds, ...(failure === undefined ? {} : { failure }) });
    if (failure !== undefined) break;
  }
  return results;
}

class Shell implements AsyncDisposable {
  readonly #folder: string;
  readonly #child;
  #output = '';
  #ended = false;
  #steps = 0;

  constructor(folder: string, more: Readonly<Record<string, string>>) {
    this.#folder = folder;
    const bin = join(folder, 'bin');
    const work = join(folder, 'work');
    for (const made of [bin, work]) mkdirSync(made);
    const program = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`;
    writeFileSync(join(bin, 'orbweaver'), program, { mode: 0o755 });
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ORBWEAVER_'));
    const env = { ...Object.fromEntries(kept), PATH: `${bin}${delimiter}${process.env.PATH}`, ...more };
    // A group of its own, so that all that it has begun can be ended with it.
    this.#child = spawn('bash', ['--norc', '-s'], { cwd: work, env, detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    this.#child.on('exit', () => {
      this.#ended = true;
    });
    this.#child.on('error', (error) => {
      this.#output += `bash could not be started: ${error.message}`;
      this.#ended = true;
    });
    this.#child.stdin.on('error', () => {});
    // Who ends this program ends what the pages have begun.
    process.once('exit', this.#end);
  }

  readonly #end = (): void => {
    if (this.#child.pid !== undefined) endGroup(this.#child.pid, 'SIGKILL');
  };

  async run({ commands, expected }: ShellStep): Promise<string | undefined> {
    const number = ++this.#steps;
    const file = join(this.#folder, `step-${number}.sh`);
    const done = `end of step ${number}:`;
    writeFileSync(file, `set -eo pipefail\n${commands}\n`);
    this.#output = '';
    // Not from the pipe: a command that reads would swallow the steps to come.
    this.#child.stdin.write(`. '${file}' < /dev/null; set +e; echo "${done} $?"\n`);
    const ended = await this.#until(() => this.#output.includes(done), STEP_LIMIT_MS);
    if (!ended) return this.#told(this.#ended ? 'A command failed.' : 'The commands did not end in time.');
    const told = (): string => this.#output.replace(`${done} 0\n`, '');
    const isBackground = /&$/m.test(commands);
    await this.#until(() => missingLine(told(), expected) === undefined, isBackground ? BACKGROUND_LIMIT_MS : 1000);
    const missing = missingLine(told(), expected);
    return missing === undefined
      ? undefined
      : this.#told(`This line did not come, or not in this order:\n  ${missing}`);
  }

  async #until(holds: () => boolean, limitMs: number): Promise<boolean> {
    const limit = performance.now() + limitMs;
    while (!holds()) {
      if (this.#ended || performance.now() > limit) return holds();
      await pause(50);
    }
    return true;
  }

  #told(what: string): string {
    const lines = this.#output.trimEnd().split('\n').slice(-40);
    return `${what}\nThe output was:\n${lines.map((line) => `  | ${line}`).join('\n')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined) {
      endGroup(pid, 'SIGTERM');
      await pause(2000);
      endGroup(pid, 'SIGKILL');
    }
    await this.#until(() => this.#ended, 5000);
    process.off('exit', this.#end);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}
