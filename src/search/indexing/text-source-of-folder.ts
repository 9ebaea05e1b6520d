import { existsSync } from 'node:fs';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import { hasState } from '../../engines/state-folder.ts';
import type { TextSource } from '../text-source.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { DocumentStore, documentStorePath } from './imports/document-store.ts';

/** The texts of a folder, for snippets: of imported documents and of the archive of its crawl, whichever it holds. */
class FolderTexts implements TextSource, Disposable {
  readonly #folder: string;
  #crawl: CrawlFolderReader | undefined;
  #store: DocumentStore | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async text(id: string, fetchedAt?: number): Promise<string | undefined> {
    const imported = this.#documents()?.get(id);
    if (imported !== undefined) return imported.text;
    const crawl = this.#pages();
    const facts = (await crawl?.page(id))?.facts;
    if (facts?.location === undefined || facts.nosnippet) return undefined;
    const place = isNewer(facts, fetchedAt) ? await crawl?.copyOf(id, fetchedAt) : facts.location;
    return place === undefined ? undefined : await crawl?.textAt(place);
  }

  async description(id: string, fetchedAt?: number): Promise<string | undefined> {
    const facts = (await this.#pages()?.page(id))?.facts;
    return facts === undefined || facts.nosnippet || isNewer(facts, fetchedAt) ? undefined : facts.about?.description;
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
    if (this.#crawl === undefined && hasState(this.#folder)) this.#crawl = new CrawlFolderReader(this.#folder);
    return this.#crawl;
  }
}

/** The page was fetched again since it was indexed. With `updates: shadow` the index is older than the archive all the time. */
function isNewer({ requestedAt }: PageFacts, fetchedAt: number | undefined): fetchedAt is number {
  return fetchedAt !== undefined && requestedAt !== undefined && requestedAt > fetchedAt;
}

export function openTextSource(folder: string): TextSource & Disposable {
  return new FolderTexts(folder);
}
