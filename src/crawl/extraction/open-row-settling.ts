import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { RuleSet } from '../../contracts/content/extraction-rules.ts';
import { openRows } from '../../engines/open-rows.ts';
import { RowSettling } from './row-settling.ts';

export interface OpenedRows extends Disposable {
  /** Absent where the crawl has no rules. */
  readonly rows?: RowSettling;
  readonly notices: readonly string[];
}

/** Where the rows of a crawl go. The folder is locked by then. */
export function openRowSettling(
  folder: string,
  ruleSets: readonly RuleSet[],
  { durability }: Pick<Settings, 'durability'>,
  clock: Clock,
): OpenedRows {
  if (ruleSets.length === 0) return { notices: [], [Symbol.dispose]() {} };
  const store = openRows(folder, durability);
  const changed = store.declare(ruleSets);
  const notices =
    changed.length === 0
      ? []
      : [
          `The extraction rules of ${changed.join(', ')} have changed: they hold for pages that are fetched from now on. For those in the archive: orbweaver rows --again --dir ${shellWord(folder)}`,
        ];
  return { rows: new RowSettling(store, clock), notices, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
