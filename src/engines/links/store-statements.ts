import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface VisitRow {
  readonly url: string;
  readonly host: string;
  readonly at: number;
  readonly links: Uint8Array;
}

/** The visit of a page whose links count. */
export interface CountedVisit {
  readonly visit: number;
  readonly links: Uint8Array;
}

export interface ReadingStatements {
  readonly page: StatementSync;
  readonly visitOf: StatementSync;
  readonly meta: StatementSync;
  readonly dataVersion: StatementSync;
}

export interface WritingStatements {
  readonly visitOf: StatementSync;
  readonly seenAgain: StatementSync;
  readonly addVisit: StatementSync;
  readonly setVisit: StatementSync;
  readonly dropVisit: StatementSync;
  readonly dropPage: StatementSync;
  readonly setMeta: StatementSync;
}

export function readingStatements(db: DatabaseSync): ReadingStatements {
  return {
    page: db.prepare('SELECT url, host, at, links FROM page JOIN visit ON no = visit WHERE fp = ?'),
    visitOf: db.prepare('SELECT url, at FROM visit WHERE no = ?'),
    meta: db.prepare("SELECT value FROM meta WHERE name = 'store'"),
    dataVersion: db.prepare('PRAGMA data_version'),
  };
}

export function writingStatements(db: DatabaseSync): WritingStatements {
  return {
    visitOf: db.prepare('SELECT visit, links FROM page JOIN visit ON no = visit WHERE fp = ?'),
    seenAgain: db.prepare('UPDATE visit SET at = ? WHERE no = ?'),
    addVisit: db.prepare('INSERT INTO visit (no, url, host, at, links) VALUES (?, ?, ?, ?, ?)'),
    setVisit: db.prepare(
      'INSERT INTO page (fp, visit) VALUES (?, ?) ON CONFLICT (fp) DO UPDATE SET visit = excluded.visit',
    ),
    dropVisit: db.prepare('DELETE FROM visit WHERE no = ?'),
    dropPage: db.prepare('DELETE FROM page WHERE fp = ?'),
    setMeta: db.prepare(
      "INSERT INTO meta (name, value) VALUES ('store', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    ),
  };
}
