export type Preference = 'allowed' | 'disallowed';

/** What publishers say of the use of a document; absent where nobody said anything. */
export interface UsageFacts {
  /** To find it and to lead people to it. */
  readonly search?: Preference;
  /** To answer with it: retrieval, grounding, summaries. */
  readonly aiInput?: Preference;
  /** To train or tune models. */
  readonly aiTrain?: Preference;
  readonly aiImages?: Preference;
  /** Text and data mining as a whole, and where its terms can be read. */
  readonly tdm?: Preference;
  readonly tdmPolicy?: string;
  /** Everything that was said, as written and with its source. */
  readonly said: readonly string[];
}
