import { DatabaseSync } from 'node:sqlite';

/** Titles and texts in a table of SQLite's FTS5, ranked by its bm25. */
export class FullTextTable implements Disposable {
  readonly #database = new DatabaseSync(':memory:');

  constructor(pages: Iterable<{ readonly url: string; readonly title: string; readonly text: string }>) {
    this.#database.exec(
      "CREATE VIRTUAL TABLE page USING fts5(url UNINDEXED, title, text, tokenize='porter unicode61')",
    );
    const add = this.#database.prepare('INSERT INTO page VALUES (?, ?, ?)');
    for (const { url, title, text } of pages) add.run(url, title, text);
  }

  /** URLs, best first: pages with all words, else those with any. */
  search(query: string, most: number): readonly string[] {
    const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
    const all = this.#match(words.join(' '), most);
    return all.length > 0 ? all : this.#match(words.join(' OR '), most);
  }

  #match(expression: string, most: number): string[] {
    if (expression === '') return [];
    const rows = this.#database
      .prepare('SELECT url FROM page WHERE page MATCH ? ORDER BY bm25(page, 0, 5, 1) LIMIT ?')
      .all(expression, most);
    return rows.map(({ url }) => String(url));
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
