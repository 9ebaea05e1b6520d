/** How the numbers of a column are written: `same` for all, or base + scale * small whole number, or as they are. */
export interface ColumnForm {
  readonly kind: 'same' | 'u8' | 'u16' | 'u32' | 'f64';
  readonly base: number;
  readonly scale: number;
}

/** One number per document, read back exactly as it was given. */
export class NumberColumn {
  readonly #values: Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined;
  readonly #base: number;
  readonly #scale: number;

  /** `bytes`: all of their buffer, so that wider numbers begin where they must. */
  constructor(form: ColumnForm, bytes: Uint8Array) {
    this.#base = form.base;
    this.#scale = form.scale;
    const { buffer } = bytes;
    if (form.kind === 'u8') this.#values = bytes;
    else if (form.kind === 'u16') this.#values = new Uint16Array(buffer);
    else if (form.kind === 'u32') this.#values = new Uint32Array(buffer);
    else if (form.kind === 'f64') this.#values = new Float64Array(buffer);
  }

  /** The whole number that stands for `value` in `tally` and `flag`; none where no document has it. */
  step(value: number): number {
    return (value - this.#base) / this.#scale;
  }

  /** Counts the documents by their steps; of a column whose steps are below the length of `counts`. */
  tally(documents: Uint32Array, counts: Uint32Array): void {
    const values = this.#values;
    if (values === undefined) counts[0] += documents.length;
    else for (let at = 0; at < documents.length; at++) counts[values[documents[at]]]++;
  }

  /** Sets `out` to 1 for each document whose step, cut to the bits of `mask`, has a flag. */
  flag(documents: Uint32Array, flags: Uint8Array, mask: number, out: Uint8Array): void {
    const values = this.#values;
    if (values !== undefined) {
      for (let at = 0; at < documents.length; at++) if (flags[values[documents[at]] & mask] === 1) out[at] = 1;
    } else if (flags[0] === 1) out.fill(1, 0, documents.length);
  }

  at(document: number): number {
    return this.#values === undefined ? this.#base : this.#base + this.#scale * this.#values[document];
  }
}

/** The smallest form that gives every number back exactly. */
export function packColumn(values: readonly number[]): { readonly form: ColumnForm; readonly bytes: Uint8Array } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let whole = true;
  let seconds = true;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
    whole &&= Number.isSafeInteger(value);
    seconds &&= value % 1000 === 0;
  }
  if (values.length === 0) return { form: { kind: 'same', base: 0, scale: 1 }, bytes: new Uint8Array(0) };
  if (least === most) return { form: { kind: 'same', base: least, scale: 1 }, bytes: new Uint8Array(0) };
  const scale = seconds ? 1000 : 1;
  const span = (most - least) / scale;
  if (!whole || span > 0xffffffff) {
    return { form: { kind: 'f64', base: 0, scale: 1 }, bytes: new Uint8Array(Float64Array.from(values).buffer) };
  }
  const steps = values.map((value) => (value - least) / scale);
  const form = { base: least, scale };
  if (span <= 0xff) return { form: { kind: 'u8', ...form }, bytes: Uint8Array.from(steps) };
  if (span <= 0xffff) return { form: { kind: 'u16', ...form }, bytes: new Uint8Array(Uint16Array.from(steps).buffer) };
  return { form: { kind: 'u32', ...form }, bytes: new Uint8Array(Uint32Array.from(steps).buffer) };
}
