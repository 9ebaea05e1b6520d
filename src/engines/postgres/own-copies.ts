/** Tells pages whose newest copies lie in files of certain writers, by their facts as a row has them. */
export class OwnCopies {
  readonly #writers: ReadonlySet<string>;

  constructor(writers: readonly string[]) {
    this.#writers = new Set(writers);
  }

  has(facts: unknown): boolean {
    // The name of a file is looked for where it stands: titles and addresses may end like one.
    if (typeof facts !== 'string' || !facts.includes('.warc.gz"')) return false;
    const { location } = JSON.parse(facts) as { readonly location?: { readonly file?: unknown } | null };
    const writer = /-([^-]+)\.warc\.gz$/.exec(String(location?.file ?? ''))?.[1];
    return writer !== undefined && this.#writers.has(writer);
  }
}
