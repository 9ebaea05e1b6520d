import { existsSync } from 'node:fs';
import { statePath } from '../../engines/sqlite/state-database.ts';
import type { TextSource } from '../text-source.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { DocumentStore, documentStorePath } from './document-store.ts';

/** The texts of a folder, for snippets: of imported documents and of the archive of its crawl, whichever it holds. */
class FolderTexts implements TextSource, Disposable {
  readonly #folder: string;
  #crawl: CrawlFolderReader | undefined;
  #store: DocumentStore | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async text(id: string): Promise<string | undefined> {
    const imported = this.#documents()?.get(id);
    if (imported !== undefined) return imported.text;
    const crawl = this.#pages();
    const facts = (await crawl?.page(id))?.facts;
    if (facts?.location === undefined || facts.nosnippet) return undefined;
    return await crawl?.textAt(facts.location);
  }

  async description(id: string): Promise<string | undefined> {
    const facts = (await this.#pages()?.page(id))?.facts;
    return facts?.nosnippet ? undefined : facts?.about?.description;
  }

  [Symbol.dispose](): void {
    this.#crawl?.[Symbol.dispose]();
    this.#store?.[Symbol.dispose]();
  }

  // Either may come into being after the folder was opened: an import beside a crawl, a crawl into an index.
  #documents(): DocumentStore | undefined {
    if (this.#store === undefined && existsSync(documentStorePath(this.#folder)))
      this.#store = new DocumentStore(this.#folder, { readOnly: true });
    return this.#store;
  }

  #pages(): CrawlFolderReader | undefined {
    if (this.#crawl === undefined && existsSync(statePath(this.#folder)))
      this.#crawl = new CrawlFolderReader(this.#folder);
    return this.#crawl;
  }
}

export function openTextSource(folder: string): TextSource & Disposable {
  return new FolderTexts(folder);
}
