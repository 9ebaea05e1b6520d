import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { GZIP_HEADER } from '../../src/archive/gzip/gzip-member.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import type { WebServer } from '../../src/simulate/server/web-server.ts';

export function copyOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true });
  return to;
}

export function warcsOf(folder: string): string[] {
  const archive = join(folder, 'archive');
  return readdirSync(archive)
    .filter((name) => name.endsWith('.warc.gz'))
    .sort()
    .map((name) => join(archive, name));
}

/** Overwrites bytes of a file. */
export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const fd = openSync(path, 'r+');
  try {
    writeSync(fd, bytes, 0, bytes.length, at);
  } finally {
    closeSync(fd);
  }
}

export function flipByte(path: string, at: number): void {
  const byte = Buffer.alloc(1);
  const fd = openSync(path, 'r');
  readSync(fd, byte, 0, 1, at);
  closeSync(fd);
  overwrite(path, at, Buffer.from([byte[0] ^ 0x40]));
}

/** `at`, or the first byte after it that says something: time and system in the header of a gzip member do not. */
export function tellingByte(path: string, at: number): number {
  const silent = { from: 4, to: GZIP_HEADER.length };
  const bytes = readFileSync(path);
  const header = bytes.subarray(0, at - silent.from + GZIP_HEADER.length).lastIndexOf(GZIP_HEADER);
  return header >= 0 && at < header + silent.to ? header + silent.to : at;
}

export function cutEnd(path: string, bytes: number): void {
  truncateSync(path, statSync(path).size - bytes);
}

/** The pages of the file that hold a table, all transactions being in the file. */
export function pagesOfTable(folder: string, table: string): number[] {
  const db = new DatabaseSync(join(folder, 'state.db'));
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const rows = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(table) as { pageno: number }[];
    return rows.map(({ pageno }) => pageno);
  } finally {
    db.close();
  }
}

/** What a whole crawl of the web holds. */
export function expectedPages(web: WebServer): string[] {
  return [...truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored')].sort();
}
