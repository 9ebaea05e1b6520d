import { existsSync } from 'node:fs';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import { hasState } from '../../engines/state-folder.ts';
import type { TextCopy, TextSource } from '../text-source.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { DocumentStore, documentStorePath } from './imports/document-store.ts';
import { readMaster } from './master/master-place.ts';
import { type FolderTextSource, MasterTexts } from './master/master-texts.ts';
import { RecentTexts } from './recent-texts.ts';

/** Two bytes each at most, in each thread that searches. */
const KEPT_CHARACTERS = 4_000_000;

/** The texts of a folder, for snippets: of imported documents and of the archive of its crawl, whichever it holds. */
class FolderTexts implements FolderTextSource {
  readonly #folder: string;
  readonly #recent = new RecentTexts(KEPT_CHARACTERS);
  #crawl: CrawlFolderReader | undefined;
  #store: DocumentStore | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async texts(copies: readonly TextCopy[]): Promise<readonly (string | undefined)[]> {
    const imported = this.#documents()?.getAll(copies.map(({ id }) => id));
    const others = copies.filter(({ id }) => imported?.has(id) !== true);
    const crawl = others.length === 0 ? undefined : this.#pages();
    const facts = crawl?.facts(others.map(({ id }) => id));
    return await Promise.all(
      copies.map(
        async ({ id, fetchedAt }) =>
          imported?.get(id)?.text ?? (await this.#archived(id, facts?.get(id), fetchedAt, crawl)),
      ),
    );
  }

  async description(id: string, fetchedAt?: number): Promise<string | undefined> {
    const facts = this.#pages()?.facts([id]).get(id);
    return facts === undefined || facts.nosnippet || isNewer(facts, fetchedAt) ? undefined : facts.about?.description;
  }

  visitedAt(ids: readonly string[]): ReadonlyMap<string, number> {
    const times = new Map([...(this.#documents()?.getAll(ids).keys() ?? [])].map((id) => [id, 0]));
    const others = ids.filter((id) => !times.has(id));
    const pages = others.length === 0 ? undefined : this.#pages()?.facts(others);
    for (const [id, { requestedAt = 0 }] of pages ?? []) times.set(id, requestedAt);
    return times;
  }

  /** What the state says is asked every time: a page may have been forgotten, or ask since that nothing of it is shown. */
  async #archived(
    id: string,
    facts: PageFacts | undefined,
    fetchedAt: number | undefined,
    crawl: CrawlFolderReader | undefined,
  ): Promise<string | undefined> {
    if (facts?.location === undefined || facts.nosnippet) return undefined;
    const place = isNewer(facts, fetchedAt) ? await crawl?.copyOf(id, fetchedAt) : facts.location;
    if (place === undefined) return undefined;
    const { file, offset, length } = place;
    return await this.#recent.of(`${file} ${offset} ${length} ${id}`, async () => await crawl?.textAt(place));
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
  if (readMaster(folder) !== undefined) return new MasterTexts(folder, (source) => new FolderTexts(source));
  return new FolderTexts(folder);
}
