import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { WorkDone } from './fixed-work.ts';

/**
 * How fast the machine is while something is measured: machines that others share change their speed within seconds, by a third and more. A thread does some
 * fixed work once a second, a hundredth of a core. What was measured at one time is compared with another time by the ratio of what that work took.
 */
export class MachineSpeed implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #done: WorkDone[] = [];

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (done: WorkDone) => this.#done.push(done));
  }

  /** Resolves when the work has been compiled and was done once. */
  static async start(): Promise<MachineSpeed> {
    const worker = new Worker(new URL('./fixed-work.ts', import.meta.url));
    const speed = new MachineSpeed(worker);
    await once(worker, 'message');
    return speed;
  }

  /** Processor time that the work took, in ms: the mean between two moments by `performance.now()`, or of the last time before them. */
  fixedWorkMs(from: number, to: number): number {
    const origin = performance.timeOrigin;
    const during = this.#done.filter(({ at }) => at >= origin + from && at <= origin + to);
    const counted = during.length > 0 ? during : this.#done.filter(({ at }) => at <= origin + to).slice(-1);
    return counted.reduce((sum, { ms }) => sum + ms, 0) / counted.length;
  }

  /** Processor seconds of this process that went into it so far: what it measures is something else. */
  get usedSeconds(): number {
    return this.#done.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
