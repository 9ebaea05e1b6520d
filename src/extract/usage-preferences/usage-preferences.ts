import type { Preference, UsageFacts } from '../../contracts/content/usage-facts.ts';

/** What a preference can be about. */
export type Use = 'search' | 'aiInput' | 'aiTrain' | 'aiImages' | 'tdm';

const USES: readonly Use[] = ['search', 'aiInput', 'aiTrain', 'aiImages', 'tdm'];

export const NOTHING_SAID: UsageFacts = { said: [] };

/**
 * Several statements as one. For each use the strictest counts, as the AIPREF vocabulary has it: one who disallows is heard,
 * whoever allows. Pure; the order of the statements matters only for `said`.
 */
export function combinePreferences(statements: readonly UsageFacts[]): UsageFacts {
  const combined: Partial<Record<Use, Preference>> = {};
  for (const use of USES) {
    for (const statement of statements) {
      const preference = statement[use];
      if (preference !== undefined && combined[use] !== 'disallowed') combined[use] = preference;
    }
  }
  const tdmPolicy = statements.find((statement) => statement.tdmPolicy !== undefined)?.tdmPolicy;
  return {
    ...combined,
    ...(tdmPolicy === undefined ? {} : { tdmPolicy }),
    said: statements.flatMap(({ said }) => said),
  };
}

const SAID_MAX = 200;

/** A statement as it is shown: cut where it is long, white space collapsed. */
export function shown(source: string, text: string): string {
  const line = `${source}: ${text.replace(/\s+/g, ' ').trim()}`;
  return line.length <= SAID_MAX ? line : `${line.slice(0, SAID_MAX)}…`;
}
