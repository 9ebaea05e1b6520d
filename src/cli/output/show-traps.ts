import { OrbweaverError } from '../../base/errors.ts';
import type { PatternReport } from '../../contracts/trap-guard.ts';
import { FolderControl } from '../../crawl/control/folder-control.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { writeText } from './write-text.ts';

export interface TrapFlags {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly open?: string;
  readonly hold?: string;
  readonly learn?: string;
}

export function showTraps(folder: string, flags: TrapFlags): void {
  using reader = new CrawlReader(folder);
  const patterns = reader.learnedState()?.patterns ?? [];
  const turned = turn(folder, flags);
  if (turned.length > 0) {
    for (const name of [flags.open, flags.hold]) {
      if (name !== undefined && !patterns.some(({ pattern }) => pattern === name))
        turned.push(`No pattern of this name is known yet; --all lists those that are.`);
    }
    writeText(`${turned.join('\n')}\nA crawl that is running hears it within a second.\n`);
    return;
  }
  const telling = ({ state, growing }: PatternReport): boolean => state !== 'open' || growing === true;
  const shown = flags.all === true ? patterns : patterns.filter(telling);
  if (flags.json === true) for (const pattern of shown) process.stdout.write(`${JSON.stringify(pattern)}\n`);
  else writeText(`${describe(shown, patterns.length).join('\n')}\n`);
}

function turn(folder: string, { open, hold, learn }: TrapFlags): string[] {
  if (open === undefined && hold === undefined && learn === undefined) return [];
  const names = [open, hold, learn].filter((name) => name !== undefined);
  if (new Set(names).size < names.length)
    throw new OrbweaverError('USAGE', '--open, --hold and --learn exclude each other for one pattern.', {
      remedy: 'Give the pattern once.',
    });
  using control = new FolderControl(folder);
  const said: string[] = [];
  const turned = (pattern: string | undefined, state: 'open' | 'hold' | 'learn', what: string): void => {
    if (pattern === undefined) return;
    control.ask({ kind: 'pattern', pattern, state }, 'command');
    said.push(`${pattern} ${what}`);
  };
  turned(open, 'open', 'is open from now on.');
  turned(hold, 'hold', 'is held from now on.');
  turned(learn, 'learn', 'is left to the crawl again.');
  return said;
}

function describe(patterns: readonly PatternReport[], known: number): string[] {
  if (patterns.length === 0) return [`Nothing is held back (${known} patterns are watched; --all shows them).`];
  return patterns.flatMap((pattern) => [
    `${(pattern.growing === true && pattern.state === 'open' ? 'growing' : pattern.state).padEnd(14)} ${pattern.pattern}`,
    ...(pattern.growing === true
      ? [`               ${pattern.novel} pages, all new, that lead to ever more of their kind; --hold ends it`]
      : []),
    ...(pattern.reason === undefined ? [] : [`               ${pattern.reason}`]),
    `               ${pattern.known} URLs known, ${pattern.visits} visited: ${pattern.novel} new, ${pattern.nearDuplicates} near-duplicates, ${pattern.duplicates} copies, ${pattern.failures} failed; ${pattern.fromElsewhere} named from elsewhere`,
  ]);
}
