import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../../../src/base/seeded-random.ts';
import type { IndexedDocument } from '../../../../../src/contracts/search-index.ts';
import { DeltaSource } from '../../../../../src/index/delta/delta-source.ts';
import type { SegmentIndex } from '../../../../../src/index/segment-index.ts';
import { DocumentStore } from '../../../../../src/search/indexing/imports/document-store.ts';
import { indexFolder } from '../../../../../src/search/indexing/index-folder.ts';
import { openIndexOf } from '../../../../../src/search/indexing/open-index.ts';

/** Documents of words of which few are frequent and many rare. */
export class Texts {
  readonly random: () => number;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.random = seededRandom(seed);
    const { random } = this;
    this.#words = Array.from({ length: 400 }, () =>
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => 'bcdfglmnprst'[Math.floor(random() * 12)])
        .map((consonant) => consonant + 'aeiou'[Math.floor(random() * 5)])
        .join(''),
    );
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.#words[Math.floor(this.#words.length * this.random() ** 2)]).join(
      ' ',
    );
  }

  document(number: number, visit = 1): IndexedDocument {
    const host = `h${number % 40}.example`;
    const day = Date.UTC(2026, 0, 1 + (number % 300));
    return {
      ...{ id: `https://${host}/${number}`, title: this.words(3), headings: this.words(4) },
      ...{ body: this.words(20 + (number % 130)), description: this.words(8) },
      anchors: [{ text: this.words(2), weight: 1 + (number % 7) }],
      facts: {
        ...{ host, mediaType: 'text/html', language: 'en', date: day, fetchedAt: Date.UTC(2026, 9, visit), spam: 0 },
        ...{ cluster: number + 1, rank: this.random() },
      },
    };
  }
}

/** Folders with indexes, which go with it. */
export class FedFolders implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'orbweaver-master-'));

  of(name: string): string {
    return join(this.root, name);
  }

  /** Adds and removes documents of a folder, in several segments. */
  async change(
    name: string,
    added: readonly IndexedDocument[],
    removed: readonly string[] = [],
    merge = false,
  ): Promise<string> {
    const folder = this.of(name);
    await using opened = await openIndexOf(folder);
    const { index } = opened;
    using store = new DocumentStore(folder);
    for (const [at, document] of added.entries()) {
      store.put({ id: document.id, title: document.title, text: document.body });
      index.add(document);
      if (at % 100 === 99) await index.commit(index.place);
    }
    for (const id of removed) index.remove(id);
    store.commit();
    await index.commit(index.place);
    if (merge) await index.mergeAll();
    return folder;
  }

  /** All documents get other ranks, as at the end of a crawl. */
  async rankAgain(name: string, rankOf: (id: string) => number): Promise<void> {
    await using opened = await openIndexOf(this.of(name));
    const index = opened.index as SegmentIndex;
    index.refreshWith(async (id, { cluster }) => ({ anchors: anchorsOf(id), rank: rankOf(id), cluster }));
    await index.mergeAll();
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const anchors = new Map<string, IndexedDocument['anchors']>();

export function rememberAnchors(documents: readonly IndexedDocument[]): void {
  for (const document of documents) anchors.set(document.id, document.anchors);
}

function anchorsOf(id: string): IndexedDocument['anchors'] {
  return anchors.get(id) ?? [];
}

/** What an index holds, by id; a document that it holds twice is told. */
export function heldIn(folder: string): Map<string, { readonly fetchedAt: number; readonly rank: number }> {
  using source = new DeltaSource(indexFolder(folder));
  const found = new Map<string, { readonly fetchedAt: number; readonly rank: number }>();
  for (const { segment, deletions } of source.states)
    for (let document = 0; document < segment.documents; document++) {
      if (deletions.has(document)) continue;
      const { id } = segment.strings(document);
      const { fetchedAt, rank } = segment.columns.facts(document);
      if (found.has(id)) throw new Error(`${id} is held twice`);
      found.set(id, { fetchedAt, rank });
    }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
