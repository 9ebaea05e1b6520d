import { type CheckedArchive, type CheckedFile, checkArchive } from '../../archive/mend/check-archive.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import { lockFolder } from '../../engines/folder-lock.ts';
import { checkState, openInspection } from '../../engines/maintenance.ts';
import { requireCrawl } from '../../engines/state-folder.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { readForgotten, refuseUnfinished } from '../forget/unfinished.ts';
import { lostCopies } from './lost-copies.ts';

export type OnProgress = (text: string) => void;

export interface FolderCheck {
  readonly problems: readonly FolderProblem[];
  /** Worth knowing, and no damage. */
  readonly notes: readonly string[];
  /** What was looked at. */
  readonly pages: number;
  readonly records: number;
}

/** Looks for damage in the state and the archive of a crawl folder. Changes nothing; refused while a crawl runs, or a deletion is unfinished. */
export async function checkFolder(folder: string, onProgress: OnProgress): Promise<FolderCheck> {
  requireCrawl(folder);
  using _lock = lockFolder(folder);
  const state = checkState(folder, onProgress);
  const none = { notes: [], pages: 0, records: 0 };
  if (!state.isReadable) return { ...none, problems: state.problems, notes: [NOT_CHECKED] };
  using inspected = openInspection(folder);
  refuseUnfinished(readForgotten(inspected), folder);
  const archive = await checkArchive(archiveFolder(folder), inspected.archiveFiles(), (file, records) =>
    onProgress(`${file}: ${records} records`),
  );
  const lost = (await lostCopies(inspected, folder, archive.book)).size;
  return {
    problems: [...state.problems, ...archiveProblems(archive), ...lostCopiesProblem(lost)],
    notes: notesOf(archive),
    pages: inspected.pageCount(),
    records: archive.files.reduce((sum, file) => sum + file.records, 0),
  };
}

const NOT_CHECKED = 'The archive was not looked at: what belongs to it is known when the state can be read.';

export function archiveProblems({ files }: Pick<CheckedArchive, 'files'>): FolderProblem[] {
  return files.flatMap((checked) => [...damageOf(checked), ...indexProblems(checked)]);
}

export function lostCopiesProblem(count: number): FolderProblem[] {
  const what = `${count} ${count === 1 ? 'page of the state has' : 'pages of the state have'} no readable copy in the archive.`;
  return count === 0 ? [] : [{ area: 'archive', code: 'copy-lost', what, count }];
}

function damageOf({ file, present, committed, damage }: CheckedFile): FolderProblem[] {
  if (present === undefined) {
    const what = `${file} is gone, with ${committed.fileEnd} settled bytes.`;
    return [{ area: 'archive', code: 'file-gone', what, count: 1 }];
  }
  return damage.map(({ from, to, why }) => {
    const code = present < to ? 'file-cut' : 'records-damaged';
    const holds = present < committed.fileEnd ? `holds ${present} of ${committed.fileEnd} settled bytes; it ` : '';
    return { area: 'archive', code, what: `${file} ${holds}cannot be read from ${from} to ${to}: ${why}.`, count: 1 };
  });
}

function indexProblems({ file, present, damage, index, sorted }: CheckedFile): FolderProblem[] {
  // The index of damaged records is made again with them.
  if (present === undefined || damage.length > 0) return [];
  const cdxj = file.replace(/\.warc\.gz$/, '.cdxj');
  if (index !== 'sound') {
    const what = `${cdxj} ${index === 'missing' ? 'is gone' : 'does not agree with the records'}.`;
    return [{ area: 'archive', code: `index-${index}`, what, count: 1 }];
  }
  if (sorted !== 'wrong') return [];
  return [{ area: 'archive', code: 'index-wrong', what: `${cdxj}.sorted does not agree with the index.`, count: 1 }];
}

function notesOf({ unsettled }: CheckedArchive): string[] {
  return unsettled.map(
    ({ file, bytes }) => `${file}: ${bytes} bytes belong to no settled page; the next crawl removes them.`,
  );
}
