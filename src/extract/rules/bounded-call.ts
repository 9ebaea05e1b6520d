import { createContext, Script } from 'node:vm';
import { measureProcessorTime } from '../../base/processor-time.ts';

/** The time was over. */
export class TimeIsUp extends Error {}

/** A thread that gets a hundredth of a core is still heard out. */
const MOST_ATTEMPTS = 8;

/**
 * Calls a pure function and ends it when it has used its processor time, wherever it is: in the middle of a regular expression, too.
 * The platform can only bound the time of day; on a busy machine little of that is ours, so what was ended too early is called again
 * with twice as much.
 */
export class BoundedCall {
  readonly #globals: { call?: () => unknown } = {};
  readonly #context = createContext(this.#globals);
  readonly #script = new Script('call()');

  run<T>(call: () => T, maxMs: number): T {
    let timeout = Math.max(1, Math.ceil(maxMs));
    for (let attempt = 1; ; attempt++) {
      const used = measureProcessorTime();
      const ended = this.#try(call, timeout);
      if ('value' in ended) return ended.value;
      if (used() >= maxMs || attempt >= MOST_ATTEMPTS) throw new TimeIsUp(`more than ${maxMs} ms`);
      timeout *= 2;
    }
  }

  /** Without a value: its time is over. */
  #try<T>(call: () => T, timeout: number): { readonly value: T } | { readonly over: true } {
    this.#globals.call = call;
    try {
      return { value: this.#script.runInContext(this.#context, { timeout }) as T };
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { over: true };
      throw error;
    } finally {
      this.#globals.call = undefined;
    }
  }
}
