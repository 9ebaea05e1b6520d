import type { ExportFolder } from '../../contracts/export.ts';
import { openTextSource } from '../../search/indexing/text-source-of-folder.ts';
import type { TextSource } from '../../search/text-source.ts';
import type { ExportedDocument } from '../segments/live-documents.ts';
import { type BundlePage, partPath } from './browser/bundle-format.ts';

/** A result page shows ten hits of as many parts: small ones load sooner, large ones are fewer. */
export const PAGES_PER_PART = 8;
/** Characters of each text, for excerpts. */
const MOST_TEXT = 5000;

/** Writes what results show of pages: parts of eight pages each. */
export class PagesWriter implements Disposable {
  readonly #folder: ExportFolder;
  readonly #texts = new Map<string, TextSource & Disposable>();
  #held: ExportedDocument[] = [];
  #parts = 0;

  constructor(folder: ExportFolder) {
    this.#folder = folder;
  }

  /** Pages come in the order of their numbers. */
  async add(document: ExportedDocument): Promise<void> {
    this.#held.push(document);
    if (this.#held.length === PAGES_PER_PART) await this.finish();
  }

  /** Closes the part that was begun. */
  async finish(): Promise<void> {
    if (this.#held.length === 0) return;
    const pages = await Promise.all(this.#held.map((document) => this.#page(document)));
    const file = await this.#folder.file(partPath('pages', this.#parts++));
    await file.write(JSON.stringify(pages).toWellFormed());
    await file.close();
    this.#held = [];
  }

  async #page({ state: { segment }, document, folder }: ExportedDocument): Promise<BundlePage> {
    const { id, title } = segment.strings(document);
    const { language, fetchedAt } = segment.columns.facts(document);
    const [text] = await this.#textsOf(folder).texts([{ id, fetchedAt }]);
    const words = (text ?? '').replace(/\s+/g, ' ').trim();
    return { url: id, title: title === '' ? id : title, language, text: words.slice(0, MOST_TEXT) };
  }

  #textsOf(folder: string): TextSource {
    let texts = this.#texts.get(folder);
    if (texts === undefined) {
      texts = openTextSource(folder);
      this.#texts.set(folder, texts);
    }
    return texts;
  }

  [Symbol.dispose](): void {
    for (const texts of this.#texts.values()) texts[Symbol.dispose]();
  }
}
