import { deserialize, serialize } from 'node:v8';
import type { Clock } from '../../base/clock.ts';

/** Methods of a learner, by name. */
type Methods<Learner> = {
  [Name in keyof Learner]: Learner[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Learner] &
  string;

/** One call that taught a learner something, and when. */
type LearningEvent = readonly [learner: string, method: string, args: readonly unknown[], at: number];

/**
 * What the learners of a crawl were taught since their last snapshot, as the calls that taught it. The conductor writes it with
 * the settlement that it comes from, so that a crawl that is killed judges URLs by all that it had settled: snapshot and
 * journal together make the learners again as they were. They must be deterministic for that; their time comes from here.
 */
export class LearningJournal {
  readonly #clock: Clock;
  #events: LearningEvent[] = [];
  #replayedAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time of the event that is replayed, else that of the clock. */
  now(): number {
    return this.#replayedAt ?? this.#clock.now();
  }

  /** Calls a method of a learner and notes the call. */
  teach<Learner extends object, Name extends Methods<Learner>>(
    name: string,
    learner: Learner,
    method: Name,
    ...args: Learner[Name] extends (...args: infer Args) => unknown ? Args : never
  ): Learner[Name] extends (...args: never[]) => infer Result ? Result : never {
    this.#events.push([name, method, args, this.#clock.now()]);
    return (learner[method] as (...args: unknown[]) => never)(...args);
  }

  /** What was noted since the last call, in a form for the disk. Undefined where there is nothing. */
  take(): Uint8Array | undefined {
    if (this.#events.length === 0) return undefined;
    const events = this.#events.map(([learner, method, args, at]) => [learner, method, args.map(toKeep), at]);
    this.#events = [];
    return serialize(events);
  }

  /** Teaches the learners once more what a journal holds. Learners that are switched off by now are left out. */
  replay(entries: Iterable<Uint8Array>, learners: Readonly<Record<string, object | undefined>>): void {
    for (const entry of entries) {
      for (const [name, method, args, at] of deserialize(entry) as readonly LearningEvent[]) {
        const learner = learners[name] as Record<string, (...args: unknown[]) => void> | undefined;
        this.#replayedAt = at;
        learner?.[method](...args.map(fromKept));
      }
    }
    this.#replayedAt = undefined;
  }
}

/** A list that is made when it is first asked for; a journal holds it only if it was. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  const read = (): Value => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(read, { made: () => made?.value });
}

function toKeep(argument: unknown): unknown {
  if (!hasKnown(argument)) return argument;
  const { made } = argument.known as { made?: () => unknown };
  return { ...argument, known: made?.() };
}

function fromKept(argument: unknown): unknown {
  if (!hasKnown(argument)) return argument;
  const links = argument.known;
  return { ...argument, known: () => links ?? [] };
}

/** Evidence of a visit: the one argument that holds a function. */
function hasKnown(argument: unknown): argument is { readonly known: unknown } {
  return typeof argument === 'object' && argument !== null && 'known' in argument;
}
