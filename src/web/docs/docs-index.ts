import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import type { SearchAnswer, SearchRequest } from '../../contracts/search-service.ts';
import { DocumentStore } from '../../search/indexing/imports/document-store.ts';
import { openIndexOf } from '../../search/indexing/open-index.ts';
import { openSearcher } from '../../search/open-searcher.ts';
import type { Searcher } from '../../search/searcher.ts';
import type { DocumentFile } from './documents.ts';
import { documentWords } from './markdown.ts';

/** The search index of the documentation, in a temporary folder that is deleted with it. Ids of its documents are paths of the site. */
export class DocsIndex implements AsyncDisposable {
  readonly folder: string;
  readonly #searcher: Searcher;

  private constructor(folder: string, searcher: Searcher) {
    this.folder = folder;
    this.#searcher = searcher;
  }

  static async build(documents: readonly DocumentFile[]): Promise<DocsIndex> {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-docs-'));
    try {
      await writeIndex(folder, documents);
      return new DocsIndex(folder, await openSearcher(folder));
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#searcher.search({ ...request, unfolded: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#searcher[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function writeIndex(folder: string, documents: readonly DocumentFile[]): Promise<void> {
  using store = new DocumentStore(folder);
  await using opened = await openIndexOf(folder);
  const { index } = opened;
  const fetchedAt = systemClock.now();
  for (const document of documents) {
    const { title, headings, text } = documentWords(document);
    store.put({ id: document.path, title, text });
    index.add({
      ...{ id: document.path, title, headings: headings.join('\n'), body: text, description: '', anchors: [] },
      facts: { host: '', mediaType: 'text/html', language: 'en', date: 0, fetchedAt, cluster: 0, spam: 0, rank: 0 },
    });
  }
  store.commit();
  await index.commit(index.place);
}
