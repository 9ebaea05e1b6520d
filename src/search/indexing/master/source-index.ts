import { realpathSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { analysisPrint } from '../../../index/analysis/analysis-print.ts';
import { createAnalyzer } from '../../../index/analysis/analyzer.ts';
import { DeltaSource } from '../../../index/delta/delta-source.ts';
import type { DeltaOrigin } from '../../../index/delta/make-delta.ts';
import { newestManifest, readManifest } from '../../../index/store/manifest.ts';
import { indexFolder } from '../index-folder.ts';
import { rebuildRemedy, withRebuildRemedy } from '../older-index.ts';
import { type FedSource, masterPlaceOf } from './master-place.ts';

/** The index of a crawl folder, for a master that is fed from it. */
export interface SourceIndex extends Disposable {
  readonly source: DeltaSource;
  readonly origin: Omit<DeltaOrigin, 'at'>;
  /** What the master knows of it. */
  readonly known: FedSource | undefined;
}

/** Opens it for reading, beside whoever writes to it; refuses what cannot be fed to a master. `master`: the folder that it is fed to. */
export function openSourceIndex(
  folder: string,
  master: string | undefined,
  sources: readonly FedSource[] = [],
): SourceIndex {
  if (!isThere(folder) || newestManifest(indexFolder(folder)) === 0)
    throw new OrbweaverError('INDEX_MISSING', `There is no search index in ${folder}.`, {
      remedy: `To make one: orbweaver index --dir ${shellWord(folder)}`,
    });
  const real = realpathSync(folder);
  if (master !== undefined && isThere(master) && realpathSync(master) === real)
    throw new OrbweaverError('USAGE', `A master index cannot be fed from itself: ${folder}.`, {
      remedy: 'Name the folder of the master with --dir, and those of crawls with --from.',
    });
  const source = openedSource(folder);
  try {
    if (masterPlaceOf(source.place) !== undefined)
      throw new OrbweaverError('USAGE', `The index in ${folder} is a master index itself.`, {
        remedy: 'Name the folders that it is fed from.',
      });
    checkAnalysis(source.origin?.analysis, folder);
    const { id = `folder:${real}`, generation = 0 } = source.origin ?? {};
    const machine = hostname();
    const isHere = (known: FedSource): boolean => known.folder === real && known.machine === machine;
    const known = sources.find((one) => one.id === id) ?? sources.find(isHere);
    if (known !== undefined && !isHere(known) && known.machine === machine && idOf(known.folder) === id)
      throw new OrbweaverError('USAGE', `${folder} is a copy of ${known.folder}, which the master is fed from.`, {
        remedy: `Feed it from one of them. To make another index of the copy: delete ${shellWord(indexFolder(folder))}, then orbweaver index --dir ${shellWord(folder)}`,
      });
    const origin = { id, generation, folder: real, machine };
    return { source, origin, known, [Symbol.dispose]: () => source[Symbol.dispose]() };
  } catch (error) {
    source[Symbol.dispose]();
    throw error;
  }
}

/** Terms of another analysis are not found by the words of a query. */
export function checkAnalysis(analysis: string | undefined, folder: string): void {
  if (analysis === undefined || analysis === analysisPrint(createAnalyzer().analyze)) return;
  throw new OrbweaverError('INDEX_OUTDATED', `The index of ${folder} was made by other rules for words.`, {
    remedy: `${rebuildRemedy(folder)}. Use the same version of Orbweaver for both.`,
  });
}

export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function openedSource(folder: string): DeltaSource {
  try {
    return new DeltaSource(indexFolder(folder));
  } catch (error) {
    throw withRebuildRemedy(error, folder);
  }
}

/** Undefined where there is no index that can be read. */
function idOf(folder: string): string | undefined {
  try {
    const place = indexFolder(folder);
    return readManifest(place, newestManifest(place)).origin?.id;
  } catch {
    return undefined;
  }
}
