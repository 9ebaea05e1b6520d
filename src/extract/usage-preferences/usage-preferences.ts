export type Preference = 'allowed' | 'disallowed';

/** What a preference can be about. */
export type Use = 'search' | 'aiInput' | 'aiTrain' | 'aiImages' | 'tdm';

const USES: readonly Use[] = ['search', 'aiInput', 'aiTrain', 'aiImages', 'tdm'];

/** What those who publish a document say of its use; what nobody spoke of is absent, and neither allowed nor disallowed. */
export interface UsagePreferences {
  /** To find it and to lead people to it. */
  readonly search?: Preference;
  /** To answer with it: retrieval, grounding, summaries. */
  readonly aiInput?: Preference;
  /** To train or tune models. */
  readonly aiTrain?: Preference;
  /** The same of the images on the page. */
  readonly aiImages?: Preference;
  /** Text and data mining as a whole. */
  readonly tdm?: Preference;
  /** Where terms for mining can be read. */
  readonly tdmPolicy?: string;
  /** Everything that was said, as written and with its source; for `explain`. */
  readonly said: readonly string[];
}

export const NOTHING_SAID: UsagePreferences = { said: [] };

/**
 * Several statements as one. For each use the strictest counts, as the AIPREF vocabulary has it: one who disallows is heard,
 * whoever allows. Pure; the order of the statements matters only for `said`.
 */
export function combinePreferences(statements: readonly UsagePreferences[]): UsagePreferences {
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

/**
 * What holds for one use. Training is mining: where nobody speaks of training, a reservation of mining stands for it, and
 * where nobody speaks of images, what is said of training.
 */
export function preferenceFor(preferences: UsagePreferences, use: Use): Preference | undefined {
  const told = preferences[use];
  if (told !== undefined) return told;
  if (use === 'aiImages') return preferenceFor(preferences, 'aiTrain');
  return use === 'aiTrain' && preferences.tdm === 'disallowed' ? 'disallowed' : undefined;
}

const SAID_MAX = 200;

/** A statement as it is shown: cut where it is long, white space collapsed. */
export function shown(source: string, text: string): string {
  const line = `${source}: ${text.replace(/\s+/g, ' ').trim()}`;
  return line.length <= SAID_MAX ? line : `${line.slice(0, SAID_MAX)}…`;
}
