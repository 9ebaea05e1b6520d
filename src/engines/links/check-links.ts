import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import { linksFile } from './link-database.ts';

/** Looks for damage in the links of a crawl folder, which are there wherever there is an index. */
export function checkLinks(crawlFolder: string): FolderProblem[] {
  const file = linksFile(crawlFolder);
  if (!existsSync(file)) return [problem('links-gone', 'The database of links is gone.')];
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const said = Object.values(db.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
    return said === 'ok' ? [] : [problem('links-damaged', `The database of links is damaged: ${said}.`)];
  } catch (error) {
    return [problem('links-damaged', `The database of links is damaged: ${(error as Error).message}.`)];
  } finally {
    db?.close();
  }
}

function problem(code: string, what: string): FolderProblem {
  return { area: 'index', code, what, count: 1 };
}
