import type { DocumentBlock } from '../../../contracts/content/document.ts';
import type { BlockSink } from '../block-flow.ts';

/** Headers and footers come once per section, most of them alike. */
export class LinesOnce implements BlockSink {
  readonly #sink: BlockSink;
  readonly #seen = new Set<string>();

  constructor(sink: BlockSink) {
    this.#sink = sink;
  }

  get full(): boolean {
    return this.#sink.full;
  }

  cutAt(cut: 'text'): void {
    this.#sink.cutAt(cut);
  }

  add(block: DocumentBlock): void {
    const key = block.kind === 'table' ? JSON.stringify(block.rows) : block.text;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    // A heading in a margin heads nothing.
    this.#sink.add(block.kind === 'heading' ? { kind: 'paragraph', text: block.text } : block);
  }
}
