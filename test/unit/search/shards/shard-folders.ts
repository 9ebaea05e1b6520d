import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocumentStore } from '../../../../src/search/indexing/imports/document-store.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';

export interface ShardDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly host: string;
  readonly date: number;
  readonly rank: number;
}

const WORDS = [
  ...[
    'spider',
    'spiders',
    'web',
    'crawler',
    'crawling',
    'silk',
    'orb',
    'weaver',
    'jumping',
    'house',
    'garden',
    'night',
  ],
  ...['thread', 'search', 'searching', 'engine', 'index', 'posting', 'document', 'ranking', 'phrase', 'query', 'term'],
];

/** Texts by a fixed sequence of numbers: some words are rare, others common. */
export function shardDocuments(count: number): ShardDocument[] {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const word = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)];
  const words = (most: number): string => Array.from({ length: 2 + Math.floor(random() * most) }, word).join(' ');
  return Array.from({ length: count }, (_, at) => ({
    id: `http://h${at % 13}.example/${at}`,
    title: words(4),
    text: `${words(80)} unique${at}x`,
    host: `h${at % 13}.example`,
    date: Date.UTC(2015 + (at % 9), 1, 1),
    rank: random(),
  }));
}

/** Folders with indexes of documents, which go with it. */
export class ShardFolders implements Disposable {
  readonly #folders: string[] = [];

  async make(documents: readonly ShardDocument[]): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-shard-'));
    this.#folders.push(folder);
    await this.add(folder, documents);
    return folder;
  }

  async add(folder: string, documents: readonly ShardDocument[]): Promise<void> {
    await using opened = await openIndexOf(folder);
    using store = new DocumentStore(folder);
    for (const { id, title, text, host, date, rank } of documents) {
      store.put({ id, title, text });
      opened.index.add({
        ...{ id, title, headings: '', body: text, description: '', anchors: [] },
        facts: {
          ...{ host, mediaType: 'text/html', language: 'en', date, fetchedAt: date, cluster: 0, spam: 0, rank },
        },
      });
    }
    store.commit();
    await opened.index.commit({});
  }

  /** The same documents in so many folders. */
  async spread(documents: readonly ShardDocument[], count: number): Promise<string[]> {
    const folders: string[] = [];
    for (let at = 0; at < count; at++)
      folders.push(await this.make(documents.filter((_, number) => number % count === at)));
    return folders;
  }

  [Symbol.dispose](): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}
