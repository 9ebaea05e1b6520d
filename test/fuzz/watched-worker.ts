import { Worker } from 'node:worker_threads';
import type { BatchReport } from './batch-runner.ts';
import { CurrentInput } from './current-input.ts';
import type { WorkerTask } from './worker.ts';

/** An input after which a worker was lost. */
export interface Loss {
  readonly kind: 'hang' | 'memory' | 'crash';
  readonly input: Uint8Array;
  readonly detail: string;
}

export interface WatchLimits {
  /** CPU time of one input, ms. */
  readonly maxCpuMs: number;
  readonly maxHeapMb: number;
}

/** Honest inputs of these sizes take milliseconds; a busy machine does not change CPU time. */
export const DEFAULT_WATCH_LIMITS: WatchLimits = { maxCpuMs: 10_000, maxHeapMb: 768 };

const LOOK_EVERY_MS = 200;

/**
 * Runs a worker to its end and watches it: one that spends too long over one input, runs out of memory or dies is a loss,
 * told with the input at hand. `until` is asked again and again; once it says so, the worker ends after its batch.
 */
export async function watchWorker(
  task: Omit<WorkerTask, 'memory'>,
  limits: WatchLimits,
  onBatch: (report: BatchReport & { readonly blocks?: number }) => void,
  until: () => boolean = () => false,
): Promise<Loss | undefined> {
  const current = new CurrentInput();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...task, memory: current.memory },
    // What survives of a large young generation can exceed the little that Node adds at the limit to end the thread: then the
    // whole process is aborted.
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 8 },
  });
  let loss: Loss | undefined;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', onBatch);
  worker.on('error', (error: Error & { code?: string }) => {
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    loss ??= { kind: memory ? 'memory' : 'crash', input: current.input, detail: String(error.stack) };
  });
  const watchdog = watch(worker, current, limits.maxCpuMs, until, (detail) => {
    loss ??= { kind: 'hang', input: current.input, detail };
  });
  await ended;
  clearInterval(watchdog);
  return loss;
}

function watch(
  worker: Worker,
  current: CurrentInput,
  maxCpuMs: number,
  until: () => boolean,
  onHang: (detail: string) => void,
): NodeJS.Timeout {
  let count = current.count;
  let spentBefore: number | undefined;
  return setInterval(async () => {
    if (until()) current.askToStop();
    // A worker that has ended in between has no CPU time to tell.
    const usage = await worker.cpuUsage().catch(() => undefined);
    if (usage === undefined) return;
    const spent = (usage.user + usage.system) / 1_000;
    if (current.count !== count || count === 0 || spentBefore === undefined) {
      count = current.count;
      spentBefore = spent;
    } else if (spent - spentBefore > maxCpuMs) {
      onHang(`more than ${maxCpuMs} ms of CPU time`);
      await worker.terminate();
    }
  }, LOOK_EVERY_MS);
}
