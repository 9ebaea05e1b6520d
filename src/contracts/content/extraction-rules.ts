/** What the value of a field is turned into. Dates become ISO 8601, URLs absolute. */
export type FieldType = 'text' | 'number' | 'integer' | 'date' | 'boolean' | 'url';

export type SingleValue = string | number | boolean;

/** Null where nothing was found. */
export type FieldValue = SingleValue | readonly SingleValue[] | null;

export type RowFields = Readonly<Record<string, FieldValue>>;

export type SelectorKind = 'css' | 'xpath' | 'json-ld';

export interface RuleSelector {
  readonly kind: SelectorKind;
  readonly expression: string;
}

export interface FieldRule {
  readonly name: string;
  /** Absent: the regular expression looks at all of the page, or of the item. */
  readonly selector?: RuleSelector;
  /** Applied to what was selected: its first group counts, or all of the match where it has none. */
  readonly regex?: { readonly source: string; readonly flags: string };
  /** Instead of text or markup. */
  readonly attribute?: string;
  readonly take: 'text' | 'markup';
  readonly many: boolean;
  readonly type: FieldType;
  readonly trim: boolean;
  /** A row without the field is left out. */
  readonly required: boolean;
  readonly default?: SingleValue;
}

/** One named kind of rows, and the pages that it is read from. */
export interface RuleSet {
  readonly name: string;
  /** URL patterns as of `include`; none: every page. */
  readonly match: readonly string[];
  /** Each element it selects makes a row; absent: the page makes one. */
  readonly each?: RuleSelector;
  /** The field by which a row is known again; without it a row of `each` that has changed is another row. */
  readonly key?: string;
  readonly fields: readonly FieldRule[];
}

/** What one set made of one page. Plain data, to cross threads. */
export interface ExtractedSet {
  readonly set: string;
  readonly rows: readonly RowFields[];
  /** Parts of the set that found something: names of fields, and `each`. */
  readonly found: readonly string[];
  /** Why the page could not be read to the end: its earlier rows stay as they are. */
  readonly problem?: string;
}
