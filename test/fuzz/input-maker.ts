import type { Random } from './random.ts';
import { type FuzzTarget, LONE_SURROGATES } from './target.ts';

const DEFAULT_MAX_LENGTH = 4_096;
/** What parsers of any format stumble over. */
const ODD_PIECES: readonly string[] = [
  '\0',
  '\r\n',
  '\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\ufffd',
  'ä',
  'ß',
  'İ',
  '日本',
  '😀',
  '\u0301',
  '%',
  '%00',
  '%zz',
  '%25',
  '-1',
  '0',
  '4294967296',
  '9007199254740993',
  '1e999',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  ...LONE_SURROGATES,
];
const ODD_BYTES: readonly number[] = [0, 1, 9, 10, 13, 32, 34, 38, 39, 60, 62, 127, 128, 191, 192, 237, 244, 254, 255];

/** Makes inputs of one target: pieces of its grammar, mutated samples, splices, and now and then plain noise. */
export class InputMaker {
  readonly #target: FuzzTarget;
  readonly #samples: Uint8Array[];
  readonly #pieces: readonly Buffer[];
  readonly #maxLength: number;

  constructor(target: FuzzTarget, furtherSamples: readonly Uint8Array[] = []) {
    this.#target = target;
    this.#maxLength = target.maxLength ?? DEFAULT_MAX_LENGTH;
    this.#samples = [...target.samples.map((sample) => Buffer.from(sample as string)), ...furtherSamples];
    this.#pieces = target.pieces.map((piece) => Buffer.from(piece));
  }

  /** Further inputs worth mutating, such as those that reached new code. */
  learn(sample: Uint8Array): void {
    this.#samples.push(sample);
  }

  make(random: Random): Uint8Array {
    const plain = (): Uint8Array => this.#plain(random);
    const made = this.#target.make?.(random, plain) ?? plain();
    return made.length > this.#maxLength ? made.subarray(0, this.#maxLength) : made;
  }

  #plain(random: Random): Uint8Array {
    const kind = random.below(10);
    if (kind < 3 || this.#samples.length === 0) return this.#joined(random);
    if (kind === 9) return noise(random);
    return this.mutated(random, random.pick(this.#samples));
  }

  /** A few changes to a sample. */
  mutated(random: Random, sample: Uint8Array): Uint8Array {
    let bytes: Uint8Array = this.#cut(random, sample);
    for (let left = random.size(8); left > 0; left--) bytes = this.#change(random, bytes);
    return bytes;
  }

  /** A stretch of a sample that is too long, beginning at its start more often than not. */
  #cut(random: Random, sample: Uint8Array): Uint8Array {
    if (sample.length <= this.#maxLength) return sample;
    const from = random.chance(0.6) ? 0 : random.below(sample.length - this.#maxLength);
    return sample.subarray(from, from + random.size(this.#maxLength));
  }

  #joined(random: Random): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let left = random.size(48); left > 0; left--) parts.push(this.#piece(random));
    return Buffer.concat(parts);
  }

  #piece(random: Random): Uint8Array {
    if (this.#pieces.length === 0 || random.chance(0.12)) return Buffer.from(random.pick(ODD_PIECES));
    const piece = random.pick(this.#pieces);
    // The same piece many times over is what loops within loops cannot stand.
    return random.chance(0.03) ? Buffer.concat(Array<Buffer>(random.size(200)).fill(piece)) : piece;
  }

  #change(random: Random, bytes: Uint8Array): Uint8Array {
    const at = random.below(bytes.length + 1);
    const length = Math.min(random.size(64), bytes.length - at);
    switch (random.below(9)) {
      case 0:
        return replaced(bytes, at, 0, this.#piece(random));
      case 1:
        return replaced(bytes, at, length, this.#piece(random));
      case 2:
        return replaced(bytes, at, length, new Uint8Array());
      case 3:
        return replaced(bytes, at, 0, bytes.subarray(at, at + length));
      case 4:
        return replaced(bytes, at, Math.min(1, bytes.length - at), Uint8Array.of(random.pick(ODD_BYTES)));
      case 5:
        return withFlippedBit(bytes, at, random.below(8));
      case 6:
        return bytes.subarray(0, at);
      case 7:
        return replaced(bytes, at, bytes.length - at, this.#tail(random));
      default: {
        const from = random.below(bytes.length + 1);
        return replaced(bytes, at, 0, bytes.subarray(from, from + random.size(256)));
      }
    }
  }

  /** The end of another sample. */
  #tail(random: Random): Uint8Array {
    const other = this.#cut(random, random.pick(this.#samples));
    return other.subarray(random.below(other.length + 1));
  }
}

function replaced(bytes: Uint8Array, at: number, length: number, by: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + length)]);
}

function withFlippedBit(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  if (at >= bytes.length) return bytes;
  const copy = Buffer.from(bytes);
  copy[at] ^= 1 << bit;
  return copy;
}

function noise(random: Random): Uint8Array {
  const bytes = Buffer.alloc(random.size(256));
  for (let at = 0; at < bytes.length; at++) bytes[at] = random.next();
  return bytes;
}
