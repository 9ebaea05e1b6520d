import type { Random } from './random.ts';

/** One parser under test. `run` throws where a promise of the parser is broken; any exception is a finding. */
export interface FuzzTarget {
  readonly name: string;
  /** Valid documents that mutations start from. */
  readonly samples: readonly (string | Uint8Array)[];
  /** Pieces of the grammar, joined at random and inserted into samples. */
  readonly pieces: readonly string[];
  /** Folders and files of the public data sets that serve as further samples, relative to ../shared/corpora. */
  readonly corpora?: readonly string[];
  /** Longest input, bytes; 4,096 where absent. */
  readonly maxLength?: number;
  /** A generator that knows the format; `plain` makes an input without it. */
  readonly make?: (random: Random, plain: () => Uint8Array) => Uint8Array;
  run(input: Uint8Array): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** A promise that a parser broke: not an exception of its own, but a wrong answer. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a `Violation` unless `holds`. `detail` is asked for only then. */
export function promise(holds: boolean, what: string, detail?: () => unknown): asserts holds {
  if (!holds) throw new Violation(detail === undefined ? what : `${what}: ${shown(detail())}`);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 600);
}

/** Stand for half of a surrogate pair, which no UTF-8 can hold. */
const HIGH_SURROGATE = '\ue0d8';
const LOW_SURROGATE = '\ue0dc';
export const LONE_SURROGATES: readonly string[] = [HIGH_SURROGATE, LOW_SURROGATE];

/** The input as text; two private characters become halves of surrogate pairs. */
export function textOf(input: Uint8Array): string {
  const text = Buffer.from(input.buffer, input.byteOffset, input.length).toString('utf8');
  return /[\ue0d8\ue0dc]/.test(text)
    ? text.replaceAll(HIGH_SURROGATE, '\ud83d').replaceAll(LOW_SURROGATE, '\udc00')
    : text;
}

/** Compares two results by what JSON shows of them. */
export function same(a: unknown, b: unknown, what: string): void {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)];
  promise(first === second, what, () => [first, second]);
}
