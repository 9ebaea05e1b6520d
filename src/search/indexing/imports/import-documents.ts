import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { IndexedDocument, SearchIndex } from '../../../contracts/search-index.ts';
import type { ImportedDocument } from './document-block.ts';
import type { DocumentStore } from './document-store.ts';

/** What is gathered in memory before it is made durable. */
const COMMIT_DOCUMENTS = 20_000;
const COMMIT_CHARACTERS = 64 * 2 ** 20;

export interface ImportParts {
  readonly index: SearchIndex;
  readonly store: DocumentStore;
  readonly clock: Clock;
  readonly commitDocuments?: number;
  /** Told after each commit: everything up to that number is durable and can be found. */
  readonly onCommitted?: (documents: number) => void;
}

/**
 * Indexes documents that come without a crawl and keeps their texts for snippets. The texts are durable before the index
 * speaks of them: a crash leaves at most texts that nobody finds yet, and the same import replaces them.
 */
export async function importDocuments(
  documents: AsyncIterable<ImportedDocument> | Iterable<ImportedDocument>,
  parts: ImportParts,
): Promise<number> {
  const { index, store, clock, commitDocuments = COMMIT_DOCUMENTS } = parts;
  let done = 0;
  let waiting = 0;
  let characters = 0;
  const commit = async (): Promise<void> => {
    store.commit();
    await index.commit(index.place);
    waiting = 0;
    characters = 0;
    parts.onCommitted?.(done);
  };
  try {
    for await (const document of documents) {
      store.put(document);
      index.add(indexedImport(document, clock.now()));
      done++;
      characters += document.text.length;
      if (++waiting >= commitDocuments || characters >= COMMIT_CHARACTERS) await commit();
    }
  } catch (error) {
    // What came before a bad line is kept; a disk that takes nothing more need not be asked again.
    if (waiting > 0 && !isStorageFault(error)) await commit();
    throw error;
  }
  if (waiting > 0) await commit();
  return done;
}

export function indexedImport({ id, title, text }: ImportedDocument, now: number): IndexedDocument {
  return {
    id,
    title,
    headings: '',
    body: text,
    description: '',
    anchors: [],
    facts: { host: '', mediaType: 'text/plain', language: '', date: 0, fetchedAt: now, cluster: 0, spam: 0, rank: 0 },
  };
}

function isStorageFault(error: unknown): boolean {
  return error instanceof OrbweaverError && (error.code === 'DISK_FULL' || error.code === 'STORAGE_FAILED');
}
