import { readdirSync, readFileSync } from 'node:fs';

/** What a thread is, by the name that the engine gives it. */
const KINDS: readonly (readonly [name: RegExp, kind: string])[] = [
  [/^V8/, "the engine's own: compiling, collecting"],
  [/^Worker/, 'page threads, index, checkpoints'],
  [/^Main|^node/, 'the crawl itself'],
];
const LOOK_MS = 200;
/** Clock ticks of the kernel in a second, as programs see them. */
const TICKS = 100;

/**
 * CPU seconds of the threads of this process, by their kind. Looked at again and again, since a thread that has ended is told of no more; empty where
 * the system does not tell.
 */
export class ThreadTimes implements Disposable {
  readonly #threads = new Map<string, readonly [kind: string, seconds: number]>();
  readonly #timer = setInterval(() => this.#look(), LOOK_MS).unref();

  /** The largest first. */
  byKind(): (readonly [kind: string, seconds: number])[] {
    this.#look();
    const sums = new Map<string, number>();
    for (const [kind, seconds] of this.#threads.values()) sums.set(kind, (sums.get(kind) ?? 0) + seconds);
    return [...sums].sort(([, a], [, b]) => b - a);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const thread of threadsOfThisProcess()) {
      try {
        // The name stands in brackets and may hold blanks; user and system time are fields 14 and 15.
        const [, name, rest] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')) ?? [];
        const fields = rest.split(' ');
        const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'others';
        this.#threads.set(thread, [kind, (Number(fields[11]) + Number(fields[12])) / TICKS]);
      } catch {
        // It has just ended.
      }
    }
  }
}

function threadsOfThisProcess(): readonly string[] {
  try {
    return readdirSync('/proc/self/task');
  } catch {
    return [];
  }
}
