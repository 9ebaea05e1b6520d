import { existsSync } from 'node:fs';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import { checkLinks } from '../../engines/maintenance.ts';
import { checkSegments } from '../../index/store/check-segments.ts';
import { newestManifest } from '../../index/store/manifest.ts';
import { CrawlFolderReader } from './crawl-folder-reader.ts';
import { FollowedPlace } from './followed-place.ts';
import { indexFolder, linksFolder } from './index-folder.ts';
import { hasOlderIndex, rebuildRemedy } from './older-index.ts';

export interface IndexCheck {
  readonly problems: readonly FolderProblem[];
  readonly notes: readonly string[];
  readonly documents: number;
}

/** Looks for damage in the search index of a crawl folder. A folder without an index is sound: a crawl makes one. */
export function checkIndex(folder: string): IndexCheck {
  const place = indexFolder(folder);
  const problems: FolderProblem[] = [];
  if (newestManifest(place) === 0) {
    const remains = existsSync(linksFolder(folder));
    return {
      problems: remains ? [problem('manifest-gone', 'The search index has lost its manifest.')] : [],
      notes: [],
      documents: 0,
    };
  }
  if (hasOlderIndex(folder)) {
    const what = `The search index has an older form. ${rebuildRemedy(folder)}`;
    return { problems: [problem('index-outdated', what)], notes: [], documents: 0 };
  }
  const checked = checkSegments(place);
  problems.push(...checked.faults.map((fault) => problem('index-damaged', fault)), ...checkLinks(folder));
  const behind = problems.length > 0 ? 0 : bytesBehind(folder, checked.place);
  const notes =
    behind === 0 ? [] : [`The index is ${behind} bytes of the archive behind: orbweaver index takes them in.`];
  return { problems, notes, documents: checked.documents };
}

/** How much of the archive the index has not taken in. */
function bytesBehind(folder: string, place: unknown): number {
  using reader = new CrawlFolderReader(folder);
  const taken = new FollowedPlace(place);
  return reader.settledFiles().reduce((sum, { name, end }) => sum + Math.max(0, end - taken.of(name)), 0);
}

function problem(code: string, what: string): FolderProblem {
  return { area: 'index', code, what, count: 1 };
}
