import { folded } from '../../crawl/content/text-digest.ts';
import type { WebVersion } from '../web-reader.ts';
import { type DiffBlock, textDiff } from './text-diff.ts';

export interface LastChange<V> {
  readonly older: V;
  readonly newer: V;
  readonly blocks: readonly DiffBlock[];
  /** False: the main text is the same from `older` to `newer`, the oldest and the newest that were looked at. */
  readonly differs: boolean;
  /** Whether there are copies older than those that were looked at. */
  readonly more: boolean;
}

/**
 * The newest two copies, one after the other, whose headline or main text differs in more than case and white space: a page
 * with other ads at each visit has changed in its bytes every time. Error pages and visits that found the page as it was are no copies of their own. Texts are read
 * from the newest back, at most `mostRead` of them. There must be a version.
 */
export async function lastChange<V extends WebVersion>(
  versions: readonly V[],
  textOf: (version: V) => Promise<string>,
  mostRead: number,
): Promise<LastChange<V>> {
  const copies = distinctCopies(versions);
  let newer = copies.length - 1;
  let after = await textOf(copies[newer]);
  for (let read = 1; newer > 0 && read < mostRead; read++, newer--) {
    const before = await textOf(copies[newer - 1]);
    if (before !== after && folded(before) !== folded(after)) {
      const blocks = textDiff(before, after);
      if (blocks.some(({ kind }) => kind !== 'same'))
        return { older: copies[newer - 1], newer: copies[newer], blocks, differs: true, more: newer > 1 };
    }
    after = before;
  }
  const [older, newest] = [copies[newer], copies[copies.length - 1]];
  return { older, newer: newest, blocks: textDiff(after, after), differs: false, more: newer > 0 };
}

/** Where no two copies are of a page in good order, whatever is stored is compared. */
function distinctCopies<V extends WebVersion>(versions: readonly V[]): readonly V[] {
  const isPage = ({ status }: V): boolean => status < 300 || status === 304;
  const pages = versions.filter(isPage);
  if (pages.length < 2) return versions;
  // "The same" is said of the visit before, which may have been left out as an error page.
  const distinct = versions.filter(
    (version, at) => isPage(version) && (version.changed !== 'same' || !isPage(versions[at - 1])),
  );
  return distinct.length > 1 ? distinct : pages;
}
