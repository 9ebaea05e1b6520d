import { openWarcArchive } from '../../../src/archive/warc-archive.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { archiveFolder } from '../../../src/crawl/crawl-folder.ts';
import { ChangeRows } from '../../../src/engines/sqlite/rows/change-rows.ts';
import { openState } from '../../../src/engines/sqlite/state-database.ts';
import { entryOf } from '../archive/archive-fixture.ts';

export const PAGE = 'http://example.com/page' as CanonicalUrl;
export const ONCE = 'http://example.com/once' as CanonicalUrl;

const FILLER = Array.from({ length: 12 }, (_, at) => `Paragraph ${at} says something that is there on every day.`);

/** Four copies of one page (the third as the second, the last with another advertisement), one of another, and a log of changes. */
export async function makeChangedFolder(folder: string): Promise<void> {
  const db = openState(folder);
  const log = new ChangeRows(db);
  log.append(Date.UTC(2026, 10, 1, 8), PAGE, { kind: 'new' }, 'A page');
  log.append(Date.UTC(2026, 10, 1, 8), ONCE, { kind: 'new' }, 'Steering \u001b[31m title');
  log.append(Date.UTC(2026, 10, 2, 9, 30), PAGE, { kind: 'changed' }, 'A page');
  log.append(
    Date.UTC(2026, 10, 2, 10),
    'http://example.com/old' as CanonicalUrl,
    { kind: 'gone', status: 404 },
    undefined,
  );
  log.append(
    Date.UTC(2026, 10, 2, 11),
    'http://example.com/moved' as CanonicalUrl,
    { kind: 'moved', to: 'http://example.org/' },
    undefined,
  );
  db.close();
  const archive = openWarcArchive({
    folder: archiveFolder(folder),
    writerId: 'w0',
    clock: systemClock,
    software: 'test',
    userAgent: 'test',
    robots: 'obey',
  });
  const first = pageOf(['The price of the lamp is ten coins today.', ...FILLER, 'An end that goes.']);
  const second = pageOf(['The price of the lamp is twelve coins today.', ...FILLER, 'An end that came instead of it.']);
  for (const [url, raw, at] of [
    [PAGE, first, Date.UTC(2026, 10, 1, 8)],
    [ONCE, first, Date.UTC(2026, 10, 1, 8)],
    [PAGE, second, Date.UTC(2026, 10, 2, 9, 30)],
    [PAGE, second, Date.UTC(2026, 10, 3, 9)],
    [PAGE, second.replace('<article>', '<aside class="ad">Buy now!</aside><article>'), Date.UTC(2026, 10, 4, 9)],
  ] as const)
    await archive.put(entryOf({ url, raw, at }));
  await archive.close();
}

function pageOf(paragraphs: readonly string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<!doctype html><title>A page</title><article><h1>A page</h1>\n${text}\n</article>`;
}
