import type { BlockCoverage } from './block-coverage.ts';
import type { CurrentInput } from './current-input.ts';
import type { InputMaker } from './input-maker.ts';
import { minimise } from './minimise.ts';
import { Random } from './random.ts';
import type { FuzzTarget } from './target.ts';

/** An input that made a parser throw or answer wrongly. */
export interface Failure {
  readonly kind: 'exception';
  readonly batch: number;
  /** Of the input within the batch. */
  readonly number: number;
  readonly input: Uint8Array;
  readonly minimised: Uint8Array;
  /** Failures with the same signature are the same fault. */
  readonly signature: string;
  readonly stack: string;
}

export interface BatchReport {
  readonly batch: number;
  readonly inputs: number;
  readonly failures: readonly Failure[];
  /** Inputs that reached new blocks. */
  readonly learned: readonly Uint8Array[];
}

export interface RunnerParts {
  readonly target: FuzzTarget;
  readonly maker: InputMaker;
  readonly seed: number;
  readonly current?: CurrentInput;
  readonly coverage?: BlockCoverage;
}

/** Runs batches of inputs against one target, in the thread that calls it. */
export class BatchRunner {
  readonly #parts: RunnerParts;
  /** One report for each fault is enough. */
  readonly #known = new Set<string>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  async run(batch: number, size: number): Promise<BatchReport> {
    const { target, maker, seed, coverage } = this.#parts;
    const random = new Random(seed ^ hashOf(target.name), batch);
    const inputs: Uint8Array[] = [];
    const failures: Failure[] = [];
    for (let number = 0; number < size; number++) {
      const input = maker.make(random);
      if (coverage !== undefined) inputs.push(input);
      const error = await this.#failure(input);
      if (error === undefined) continue;
      const signature = signatureOf(error);
      if (this.#known.has(signature)) continue;
      this.#known.add(signature);
      const minimised = await minimise(input, async (candidate) => {
        const other = await this.#failure(candidate);
        return other !== undefined && signatureOf(other) === signature;
      });
      failures.push({ kind: 'exception', batch, number, input, minimised, signature, stack: String(error.stack) });
    }
    const learned = coverage === undefined ? [] : await this.#newReach(inputs, coverage);
    for (const input of learned) maker.learn(input);
    return { batch, inputs: size, failures, learned };
  }

  /** The inputs of the batch that reached new blocks: halves that reach none are passed over whole. */
  async #newReach(inputs: readonly Uint8Array[], coverage: BlockCoverage, known = false): Promise<Uint8Array[]> {
    if (!known) {
      if (!coverage.hasNews()) return [];
    }
    if (inputs.length === 1) {
      await this.#failure(inputs[0]);
      return coverage.newBlocks() > 0 ? [inputs[0]] : [];
    }
    const found: Uint8Array[] = [];
    const middle = inputs.length >> 1;
    for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) {
      for (const input of half) await this.#failure(input);
      if (coverage.hasNews()) found.push(...(await this.#newReach(half, coverage, true)));
    }
    return found;
  }

  async #failure(input: Uint8Array): Promise<Error | undefined> {
    this.#parts.current?.set(input);
    try {
      // Most parsers answer at once; waiting for nothing would cost more than they do.
      const running = this.#parts.target.run(input);
      if (running !== undefined) await running;
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(`not an Error: ${String(error)}`);
    }
  }
}

/** The kind of error and the first place in the product or the target that it went through. */
function signatureOf(error: Error): string {
  const frame = /(?:\/src\/|\/targets\/)[^\s)]+/.exec(error.stack ?? '')?.[0] ?? '';
  const what = error.name === 'Violation' ? error.message.split(':')[0] : error.name;
  return `${what} at ${frame}`;
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
