import { OrbweaverError } from '../../../base/errors.ts';
import type { StoredSet } from '../../../contracts/state/row-store.ts';

/** The set of extraction rules that was asked for by its name. */
export function setNamed(sets: readonly StoredSet[], name: string): StoredSet {
  const set = sets.find(({ rules }) => rules.name === name);
  if (set !== undefined) return set;
  throw new OrbweaverError('USAGE', `There is no set ${name}.`, {
    remedy: `The sets are: ${sets.map(({ rules }) => rules.name).join(', ')}.`,
  });
}
