import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWrittenBy } from '../../archive/archive-file-name.ts';
import { checkArchive } from '../../archive/mend/check-archive.ts';
import type { Clock } from '../../base/clock.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import type { NodeRecord } from '../../contracts/state/nodes.ts';
import type { ArchiveClaims, PageCopy, StateInspection } from '../../contracts/state/repair.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { checkState, openInspection } from '../../engines/maintenance.ts';
import { moveStoreToFolder, openStoreView } from '../../engines/open-store.ts';
import { archiveProblems, type FolderCheck, lostCopiesProblem, type OnProgress } from '../check/check-folder.ts';
import { lostCopies } from '../check/lost-copies.ts';
import { archiveFolder } from '../crawl-folder.ts';
import type { RunRecord } from '../report/run-record.ts';
import { writersOf } from './node-note.ts';
import { nodeFolders } from './store-crawl.ts';

export interface NodesCheck extends FolderCheck {
  /** Of nodes that have stored pages: those that were looked at. */
  readonly folders: readonly string[];
}

/**
 * Looks for damage in a crawl of several nodes: its rows, put together, and the archives of the nodes whose folders can be read here. Changes
 * nothing; refused while nodes are at work.
 */
export async function checkNodes(store: string, clock: Clock, onProgress: OnProgress): Promise<NodesCheck> {
  await using view = await openStoreView(store);
  const { nodes } = await view.nodes.view();
  const { here, elsewhere } = nodeFolders(nodes);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-check-'));
  try {
    onProgress('the database');
    await moveStoreToFolder({ url: store, folder, clock, values: {}, bringArchive: async () => {} });
    const state = checkState(folder, () => {});
    if (!state.isReadable) return { problems: state.problems, notes: [], pages: 0, records: 0, folders: [] };
    using inspected = openInspection(folder);
    const problems: FolderProblem[] = [...state.problems];
    const folders: string[] = [];
    let records = 0;
    for (const node of nodes) {
      const home = node.home?.folder;
      if (home === undefined || !here.includes(home) || node.pages === 0) continue;
      folders.push(home);
      const checked = await checkNode(inspected, node, home, here, onProgress);
      problems.push(...checked.problems);
      records += checked.records;
    }
    const notes = elsewhere.map(
      ({ name, home }) =>
        `The archive of ${name} was not looked at: it is ${home === undefined ? 'in its folder' : `in ${home.folder} on ${home.machine}`}.`,
    );
    return { problems, notes, pages: inspected.pageCount(), records, folders };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkNode(
  inspected: StateInspection,
  { name, home }: NodeRecord,
  folder: string,
  all: readonly string[],
  onProgress: OnProgress,
): Promise<{ readonly problems: FolderProblem[]; readonly records: number }> {
  const claims = new ClaimsOfNode(
    inspected,
    writersOf({ name, ...home }),
    all.filter((other) => other !== folder),
  );
  const archive = await checkArchive(archiveFolder(folder), claims.archiveFiles(), (file, records) =>
    onProgress(`${file}: ${records} records`),
  );
  const lost = (await lostCopies(claims, folder, archive.book)).size;
  return {
    problems: [...archiveProblems(archive), ...lostCopiesProblem(lost)],
    records: archive.files.reduce((sum, file) => sum + file.records, 0),
  };
}

/** What the crawl says of the archive of one node. */
class ClaimsOfNode implements ArchiveClaims {
  readonly #claims: ArchiveClaims;
  readonly #writers: readonly string[];
  readonly #others: readonly string[];

  constructor(claims: ArchiveClaims, writers: readonly string[], others: readonly string[]) {
    this.#claims = claims;
    this.#writers = writers;
    this.#others = others;
  }

  archiveFiles(): Map<string, SettledBytes> {
    return new Map([...this.#claims.archiveFiles()].filter(([file]) => isWrittenBy(file, this.#writers)));
  }

  *copies(): Generator<PageCopy> {
    for (const copy of this.#claims.copies())
      if (copy.location !== undefined && isWrittenBy(copy.location.file, this.#writers)) yield copy;
  }

  /** A copy may refer to one that another node has stored. */
  read<T>(name: string): T | undefined {
    const value = this.#claims.read<T>(name);
    if (name !== 'run') return value;
    const { duplicatesOf = [] } = (value ?? {}) as Partial<RunRecord>;
    return { ...value, duplicatesOf: [...duplicatesOf, ...this.#others] } as T;
  }
}
