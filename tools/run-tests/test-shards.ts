import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { FileQueue, type QueuedFile } from './file-queue.ts';
import type { ShardEvent, ShardMessage, ShardOrder } from './shard-messages.ts';

export interface TestShardsParts {
  readonly files: readonly QueuedFile[];
  readonly processes: number;
  /** A test that waits for so long fails, unless it has a limit of its own. */
  readonly testLimitMs: number;
  /** A process in which nothing has begun or ended for so long hangs, and is killed: what blocks its process cannot be timed there. */
  readonly hangsAfterMs: number;
  readonly env: NodeJS.ProcessEnv;
  /** Events of one top-level test at a time, in order. */
  readonly report: (events: readonly ShardEvent[]) => void;
  /** A file is done. */
  readonly spent: (file: string, cpuMs: number) => void;
}

interface Shard {
  readonly process: ChildProcess;
  file?: string;
  cpuMs: number;
  /** The test that has begun last. */
  test: string;
  /** Events of a top-level test that has not ended. */
  held: ShardEvent[];
  /** It has asked for a file. */
  hasBegun: boolean;
  isOver: boolean;
  hasFailed: boolean;
  /** A test has waited for too long: what it waits for may keep the process for ever. */
  hasTimedOut: boolean;
  /** What the runner says of errors that belong to no running test. */
  stray: string;
  hangs: boolean;
  watch?: NodeJS.Timeout;
}

const SHARD_PROCESS = join(import.meta.dirname, 'shard-process.ts');
const SHARD_REPORTER = join(import.meta.dirname, 'shard-reporter.ts');
/** As the program loads its modules, in each of its threads. */
const QUICK_IMPORTS = join(import.meta.dirname, '../../bin/quick-imports.cjs');

/** Events come somewhat late. */
const LAST_EVENTS_MS = 10_000;

/** Runs test files in several processes, each of which takes the next file when it is done with one. */
export class TestShards {
  readonly #parts: TestShardsParts;
  readonly #queue: FileQueue;

  constructor(parts: TestShardsParts) {
    this.#parts = parts;
    this.#queue = new FileQueue(parts.files);
  }

  async run(): Promise<void> {
    const processes = Math.min(this.#parts.processes, this.#queue.length);
    await Promise.all(Array.from({ length: processes }, () => this.#runShard()));
  }

  /** One process after another, where one does not live to the end. One that took no file would not be the last such. */
  async #runShard(): Promise<void> {
    while ((await this.#runProcess()) && this.#queue.length > 0);
  }

  /** Answers whether it took a file. */
  #runProcess(): Promise<boolean> {
    const child = fork(SHARD_PROCESS, [], {
      execArgv: [
        ...[`--require=${QUICK_IMPORTS}`, `--test-reporter=${SHARD_REPORTER}`],
        `--test-timeout=${this.#parts.testLimitMs}`,
      ],
      env: this.#parts.env,
    });
    const shard: Shard = {
      process: child,
      cpuMs: 0,
      test: '',
      held: [],
      hasBegun: false,
      isOver: false,
      hasFailed: false,
      hasTimedOut: false,
      hangs: false,
      stray: '',
    };
    return new Promise((resolve) => {
      child.on('message', (message: ShardMessage) => {
        if (message.kind === 'event') this.#handle(shard, message.event);
        else if (message.kind === 'begins') shard.test = message.test;
        else this.#sendNext(shard, message.cpuMs);
        this.#watch(shard);
      });
      child.on('error', () => child.kill('SIGKILL'));
      child.on('close', (code, signal) => {
        clearTimeout(shard.watch);
        // An error that belongs to no running test shows in the exit code alone.
        const isLost = !shard.isOver || shard.hangs || signal !== null || (code !== 0 && !shard.hasFailed);
        if (isLost && !mayBeLeft(shard)) this.#reportLoss(shard, code, signal);
        this.#queue.leave(shard);
        resolve(shard.hasBegun);
      });
    });
  }

  #sendNext(shard: Shard, cpuMs: number): void {
    if (shard.file !== undefined) this.#parts.spent(shard.file, cpuMs - shard.cpuMs);
    shard.cpuMs = cpuMs;
    shard.hasBegun = true;
    const file = this.#queue.take(shard);
    shard.file = file;
    shard.isOver = file === undefined;
    shard.process.send({ file } satisfies ShardOrder, () => {});
  }

  #handle(shard: Shard, event: ShardEvent): void {
    const { type, data } = event;
    if (type === 'test:fail') shard.hasFailed = true;
    if (data.details?.error?.failureType === 'testTimeoutFailure') shard.hasTimedOut = true;
    // A sign of life; its report follows when those before it are over.
    if (type === 'test:complete') return;
    // A file is a suite in its shard, and none in the report, unless it cannot be loaded.
    if (data.file === SHARD_PROCESS) {
      if (type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed')
        this.#parts.report([brokenFile(event)]);
      if (type === 'test:diagnostic' && data.message?.startsWith('Error: ')) shard.stray += `\n${data.message}`;
      return;
    }
    shard.held.push({ type, data: { ...data, nesting: Math.max(0, data.nesting - 1) } });
    if (data.nesting > 1 || (type !== 'test:pass' && type !== 'test:fail')) return;
    this.#parts.report(shard.held);
    shard.held = [];
  }

  #watch(shard: Shard): void {
    clearTimeout(shard.watch);
    const end = (): void => {
      shard.hangs = true;
      shard.process.kill('SIGKILL');
    };
    shard.watch = setTimeout(end, mayBeLeft(shard) ? LAST_EVENTS_MS : this.#parts.hangsAfterMs);
  }

  #reportLoss({ test, file = '', hangs, stray }: Shard, code: number | null, signal: string | null): void {
    const how = hangs
      ? `hung for ${this.#parts.hangsAfterMs / 1000} s and was killed`
      : `ended with ${signal ?? `exit code ${code}`}`;
    const error = { failureType: 'testCodeFailure', text: `The test process ${how} in or after: ${test}${stray}` };
    const details = { duration_ms: 0, type: 'test', error };
    this.#parts.report([
      {
        type: 'test:fail',
        data: { name: test || file || 'a test process', nesting: 0, file, line: 1, column: 1, details },
      },
    ]);
  }
}

/** All its tests are over, and one of them is known to wait for something still. */
function mayBeLeft({ isOver, hasTimedOut }: Shard): boolean {
  return isOver && hasTimedOut;
}

function brokenFile({ type, data }: ShardEvent): ShardEvent {
  const { name, details } = data;
  const { duration_ms = 0, error } = details ?? {};
  return { type, data: { ...data, file: name, line: 1, column: 1, details: { duration_ms, type: 'test', error } } };
}
