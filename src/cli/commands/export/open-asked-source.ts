import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { ExportFilter, ExportSource } from '../../../contracts/export.ts';
import { crawlSignature } from '../../../crawl/report/site/crawl-signature.ts';
import { hasLinks, listLinks } from '../../../engines/open-links.ts';
import { requireRows } from '../../../engines/open-rows.ts';
import { CrawlExportSource } from '../../../export/source/crawl-export-source.ts';
import { type AskedCrawl, askedStore, openAskedCrawl, searchedPlaces } from '../../arguments/asked-crawl.ts';
import { openAskedLinks } from '../../arguments/asked-links.ts';

export interface AskedSource extends AsyncDisposable {
  readonly source: ExportSource;
}

/** The crawl that was asked for, as exports read it. */
export async function openAskedSource(
  asked: AskedCrawl,
  filter: ExportFilter,
  signal: AbortSignal,
): Promise<AskedSource> {
  const { store } = await askedStore(asked);
  const opened = new AsyncDisposableStack();
  try {
    const reader = opened.use(await openAskedCrawl(asked, 'site'));
    if (store !== undefined && reader.folders.length === 0)
      process.stderr.write(
        'No folder of this crawl is on this machine: copies, texts and versions are read as far as they were shipped.\n',
      );
    let folder: string | undefined;
    const source = opened.use(
      new CrawlExportSource({
        ...{ reader, filter, signal, isResumable: store === undefined, identity: identityOf(asked.dir) },
        listLinks: async (after) => {
          folder ??= store === undefined ? linksOfFolder(asked.dir) : opened.use(await openAskedLinks(asked)).folder;
          return listLinks(folder, after);
        },
        listRows: (after, set) =>
          opened.use(requireRows(asked.dir)).rows({ after, gone: true, ...(set === undefined ? {} : { set }) }),
        search: (query) => search(asked, query),
        signature: () => crawlSignature(asked.dir, systemClock.now()) ?? String(systemClock.now()),
      }),
    );
    return { source, [Symbol.asyncDispose]: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The place, and the state in it: a crawl may have been thrown away and another begun there. */
function identityOf(folder: string): string {
  const state = statSync(join(folder, 'state.db'), { throwIfNoEntry: false });
  return `${resolve(folder)} ${state?.ino} ${state?.birthtimeMs}`;
}

function linksOfFolder(folder: string): string {
  if (hasLinks(folder)) return folder;
  throw new OrbweaverError('INDEX_MISSING', 'The links of this crawl were not gathered.', {
    remedy: `They are gathered with the search index: orbweaver index --dir ${shellWord(folder)}`,
  });
}

async function search(asked: AskedCrawl, query: string): Promise<readonly string[]> {
  const { openSearcher } = await import('../../../search/open-searcher.ts');
  const {
    places: { folder, ...others },
  } = await searchedPlaces(asked);
  await using searcher = await openSearcher(folder, others);
  return await searcher.matching(query);
}
