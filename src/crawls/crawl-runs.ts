import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { AppRun } from '../contracts/crawl-library.ts';
import { isFolderLocked } from '../engines/folder-lock.ts';
import { describeExit } from './describe-end.ts';
import { processStart } from './process-start.ts';
import { readEnd } from './read-facts.ts';
import { beginRun, changeRun, changeRunTo, readRun } from './run-file.ts';
import { noteInLog, openLog, trimLog } from './run-log.ts';

export interface CrawlRunsOptions {
  /** The words of a command line before those of Orbweaver: a Node.js and the launcher. */
  readonly command: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  /** Crawls that run at once; further ones wait for their turn. */
  readonly mostAtOnce?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Told of faults that concern no request. */
  readonly onFault?: (fault: unknown, folder: string) => void;
}

/** Each is a process with threads and some 200 MB. */
const MOST_AT_ONCE = 8;
/** A crawl that dies more often than this in that time is left alone: something is wrong with it or the machine. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 600_000;
/** Who stops the machine stops the crawl and the app, in any order. */
const STOPPED_BY_OTHERS_MS = 1000;
/** Longer than a crawl takes to save; what is not settled then comes again. */
const CLOSING_MS = 15_000;

interface Running {
  readonly pid: number;
  /** Undefined for one that an earlier app started. */
  readonly child?: ChildProcess;
}

/** What a folder is busy with, as far as this app knows. */
export type RunActivity = 'running' | 'waiting' | undefined;

/**
 * The processes of the crawls. They are no children in spirit: one that outlives the app is found again by its number and its
 * beginning, and one that is meant to run and does not is started again. Keyed by folder; one crawl per folder, by its lock.
 */
export class CrawlRuns implements AsyncDisposable {
  readonly #options: CrawlRunsOptions;
  readonly #running = new Map<string, Running>();
  readonly #waiting = new Set<string>();
  #closing = false;

  constructor(options: CrawlRunsOptions) {
    this.#options = options;
  }

  activity(folder: string): RunActivity {
    return this.#running.has(folder) ? 'running' : this.#waiting.has(folder) ? 'waiting' : undefined;
  }

  /** Takes up what an earlier app has left in a folder. */
  recover(folder: string): void {
    const run = readRun(folder);
    if (run?.wanted !== 'running' || this.activity(folder) !== undefined) return;
    const { pid } = run;
    if (pid !== undefined && isSame(run)) {
      this.#running.set(folder, { pid });
      return;
    }
    // Somebody crawls who cannot be named: the list shows it by the lock.
    if (isFolderLocked(folder)) return;
    if (pid !== undefined && this.#hasEnded(folder, run)) return;
    this.#launchOrWait(folder, beginRun(folder, { ...run, again: pid === undefined && run.again }));
  }

  start(folder: string, { kind, again = false }: { readonly kind: AppRun['kind']; readonly again?: boolean }): void {
    if (this.activity(folder) !== undefined || isFolderLocked(folder)) throw inUse(folder);
    this.#launchOrWait(folder, beginRun(folder, { kind, again, restarts: [] }));
  }

  /** Answers when the process was told; `activity` tells when it is gone. */
  stop(folder: string, atOnce: boolean): void {
    const running = this.#running.get(folder);
    if (running === undefined && !this.#waiting.delete(folder)) {
      if (!isFolderLocked(folder)) return;
      throw new OrbweaverError('FOLDER_IN_USE', 'This crawl was not started by this app.', {
        remedy: 'Stop it where it was started, such as with Ctrl-C in its terminal.',
      });
    }
    const run = changeRun(folder, { wanted: 'stopped' });
    // Between the look and the signal a number is not given out again; before the look it may have been.
    if (running !== undefined && (running.child !== undefined || isSame(run))) {
      signal(running.pid, atOnce ? 'SIGKILL' : 'SIGTERM');
    }
  }

  /** Looks after all of them; to be called every second or so. */
  maintain(): void {
    for (const [folder, { child }] of this.#running) {
      trimLog(folder);
      if (child !== undefined) continue;
      const run = readRun(folder);
      if (run === undefined || !isSame(run)) this.#adoptedHasGone(folder, run);
    }
    this.#startWaiting();
  }

  /** Ends the crawls in order; they are still wanted, and the next app goes on with them. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    this.#waiting.clear();
    const gone = [...this.#running].map(async ([folder, { pid, child }]) => {
      const run = readRun(folder);
      if (child === undefined && (run === undefined || !isSame(run))) return;
      signal(pid, 'SIGTERM');
      const until = Date.now() + CLOSING_MS;
      while (this.#isThere(folder, child) && Date.now() < until) await new Promise((next) => setTimeout(next, 50));
      if (this.#isThere(folder, child)) signal(pid, 'SIGKILL');
      else if (child === undefined) this.#forgetProcess(folder, { exitCode: 130 });
    });
    await Promise.all(gone);
  }

  #isThere(folder: string, child: ChildProcess | undefined): boolean {
    if (child !== undefined) return child.exitCode === null && child.signalCode === null;
    const run = readRun(folder);
    return run !== undefined && isSame(run);
  }

  #launchOrWait(folder: string, run: AppRun): void {
    if (this.#running.size < (this.#options.mostAtOnce ?? MOST_AT_ONCE)) this.#launch(folder, run);
    else this.#waiting.add(folder);
  }

  #startWaiting(): void {
    for (const folder of this.#waiting) {
      if (this.#closing || this.#running.size >= (this.#options.mostAtOnce ?? MOST_AT_ONCE)) return;
      this.#waiting.delete(folder);
      const run = readRun(folder);
      if (run?.wanted === 'running' && !isFolderLocked(folder)) this.#launch(folder, run);
    }
  }

  #launch(folder: string, run: AppRun): void {
    const { command, clock, env = process.env } = this.#options;
    const [program, ...words] = [...command, ...argumentsOf(folder, run)];
    const now = clock.now();
    noteInLog(folder, `== ${new Date(now).toISOString()} orbweaver ${argumentsOf(folder, run).join(' ')}`);
    const log = openLog(folder);
    let child: ChildProcess;
    try {
      // In a group of its own: Ctrl-C in the terminal of the app is for the app, which then stops its crawls itself.
      child = spawn(program, words, { detached: true, windowsHide: true, stdio: ['ignore', log, log], env });
    } finally {
      closeSync(log);
    }
    child.unref();
    child.once('error', (error) => {
      noteInLog(folder, `The crawl could not be started: ${error.message}`);
      this.#hasExited(folder, { exitCode: 1 });
    });
    const { pid } = child;
    if (pid === undefined) return;
    this.#running.set(folder, { pid, child });
    child.once('exit', (exitCode, killedBy) =>
      this.#hasExited(folder, killedBy === null ? { exitCode: exitCode ?? 1 } : { signal: killedBy }),
    );
    changeRun(folder, { pid, processStart: processStart(pid) ?? '', startedAt: now });
  }

  #hasExited(folder: string, how: Pick<AppRun, 'exitCode' | 'signal'>): void {
    this.#running.delete(folder);
    try {
      noteInLog(folder, `== ${new Date(this.#options.clock.now()).toISOString()} ${describeExit(how)}`);
      const run = this.#forgetProcess(folder, how);
      if (this.#closing || run.wanted !== 'running') return;
      if (how.signal !== undefined) this.#startAgain(folder, run);
      else if (how.exitCode === 130) setTimeout(() => this.#wasStopped(folder), STOPPED_BY_OTHERS_MS).unref();
      // It met the crawl of an earlier app that was only just starting: that one goes on.
      else if (how.exitCode !== 3 || !isFolderLocked(folder)) changeRun(folder, { wanted: 'stopped' });
      this.#startWaiting();
    } catch (fault) {
      // Such as a folder that somebody has moved away.
      this.#options.onFault?.(fault, folder);
    }
  }

  #wasStopped(folder: string): void {
    if (this.#closing || this.activity(folder) !== undefined || readRun(folder)?.wanted !== 'running') return;
    changeRun(folder, { wanted: 'stopped' });
  }

  /** A process of an earlier app cannot tell how it ended; the state of its crawl can. */
  #adoptedHasGone(folder: string, run: AppRun | undefined): void {
    this.#running.delete(folder);
    if (run === undefined || this.#closing) return;
    if (run.wanted === 'stopped' || this.#hasEnded(folder, run)) this.#forgetProcess(folder, {});
    else this.#startAgain(folder, this.#forgetProcess(folder, { signal: 'a kill' }));
  }

  /** Whether a run that nobody watched came to its end; noted, if so. */
  #hasEnded(folder: string, run: AppRun): boolean {
    const end = readEnd(folder);
    if (end.endedAt === undefined || end.endedAt < (run.startedAt ?? 0)) return false;
    const { pid: _pid, processStart: _start, ...rest } = run;
    changeRunTo(folder, { ...rest, wanted: 'stopped', endedAt: end.endedAt });
    return true;
  }

  #startAgain(folder: string, run: AppRun): void {
    const now = this.#options.clock.now();
    const restarts = run.restarts.filter((at) => now - at < RESTARTS_WITHIN_MS);
    if (restarts.length >= MOST_RESTARTS) {
      noteInLog(folder, `It died ${restarts.length + 1} times within ten minutes and is not started again by itself.`);
      changeRun(folder, { wanted: 'stopped' });
      return;
    }
    // The round that was asked for is in the state, and goes on.
    this.#launchOrWait(folder, beginRun(folder, { kind: run.kind, again: false, restarts: [...restarts, now] }));
  }

  #forgetProcess(folder: string, how: Pick<AppRun, 'exitCode' | 'signal'>): AppRun {
    const { pid: _pid, processStart: _start, ...rest } = readRun(folder) ?? changeRun(folder, {});
    return changeRunTo(folder, { ...rest, ...how, endedAt: this.#options.clock.now() });
  }
}

function argumentsOf(folder: string, { kind, again }: AppRun): string[] {
  const more = again ? ['--again'] : [];
  return kind === 'demo'
    ? ['start', '--demo', '--once', '--keep', '--dir', folder]
    : ['crawl', '--dir', folder, '--quiet', ...more];
}

function isSame({ pid, processStart: began }: AppRun): boolean {
  return pid !== undefined && began !== undefined && processStart(pid) === began;
}

function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  // Numbers below it mean groups of processes, this one among them.
  if (pid <= 0) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has gone by itself.
  }
}

export function inUse(folder: string): OrbweaverError {
  return new OrbweaverError('FOLDER_IN_USE', `A crawl runs in ${folder}.`, {
    remedy: 'Wait for it to end, or stop it first.',
  });
}
