import { OrbweaverError } from '../../../base/errors.ts';
import { DELTA_VERSION, type DeltaHead } from '../../../index/delta/make-delta.ts';
import { INDEX_FORMAT, isOutdated } from '../../../index/store/manifest.ts';
import { checkAnalysis } from './source-index.ts';

/** Refuses a delta of another form, or one whose words are found otherwise. */
export function checkHead(head: DeltaHead, file: string): void {
  if (!hasShape(head))
    throw new OrbweaverError('INPUT_INVALID', `${file} is no delta of a search index.`, {
      remedy: 'orbweaver index --dir FOLDER --delta FILE writes one.',
    });
  const { version, format, origin } = head;
  if (version > DELTA_VERSION || format > INDEX_FORMAT)
    throw new OrbweaverError('FOLDER_NEWER_VERSION', `${file} was written by a newer version of Orbweaver.`, {
      remedy: 'Bring this one up to date; the master has to be fed again where its own form is older.',
    });
  if (version < DELTA_VERSION || isOutdated(format))
    throw new OrbweaverError('INDEX_OUTDATED', `${file} has an older form.`, {
      remedy: `Bring Orbweaver up to date where ${origin.folder} is, and make another: orbweaver index --delta FILE --whole`,
    });
  checkAnalysis(head.analysis, origin.folder);
}

function hasShape(head: DeltaHead | null): head is DeltaHead {
  if (typeof head !== 'object' || head === null) return false;
  const { version, format, origin, result, segments, forms, sent, removed, restamped, total } = head;
  const numbers: readonly unknown[] = [version, format, sent, removed, restamped, total];
  if (!numbers.every((number) => Number.isSafeInteger(number) && (number as number) >= 0)) return false;
  if (typeof result !== 'string' || !Array.isArray(segments) || typeof forms?.rank?.kind !== 'string') return false;
  if (typeof forms.cluster?.kind !== 'string' || typeof origin !== 'object' || origin === null) return false;
  const { id, folder, machine, generation, at } = origin;
  const texts: readonly unknown[] = [id, folder, machine];
  return texts.every((text) => typeof text === 'string') && Number.isFinite(generation) && Number.isFinite(at);
}
