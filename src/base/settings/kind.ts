/** What reading a raw value gives: the value, or a sentence on what is wrong with it. */
export type Reading<T> = { readonly value: T } | { readonly wrong: string };

/**
 * What a number without a unit means where the kind has units. People write seconds ('documented'); code that hands over
 * values of type `Settings` already has them in the unit of that type ('internal': milliseconds).
 */
export type PlainNumbers = 'documented' | 'internal';

/** How the values of a setting are read, checked, and written back. Invariant: `read(write(value))` gives the same value. */
export interface Kind<T> {
  readonly name:
    | 'integer'
    | 'number'
    | 'duration'
    | 'bytes'
    | 'boolean'
    | 'choice'
    | 'text'
    | 'list'
    | 'map'
    | 'map of lists';
  /** Completes "takes …" in error messages. */
  readonly accepts: string;
  /** The same for docs/settings.md, whose introduction explains units. */
  readonly summary: string;
  /** Stands for the value in the usage line of the flag, e.g. "<duration>". Empty for a switch. */
  readonly placeholder: string;
  /** A flag of this kind may be given more than once. */
  readonly repeatable: boolean;
  /** `raw` is text from a flag or the environment, or whatever YAML or a caller gave. */
  read(raw: unknown, plainNumbers: PlainNumbers): Reading<T>;
  write(value: T): string;
}

export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly fallback: T;
  /** Plain Markdown, one paragraph. */
  readonly doc: string;
  /** The value is never shown: not in errors, not in listings. */
  readonly secret: boolean;
}

export function setting<T>(
  kind: Kind<T>,
  fallback: NoInfer<T>,
  doc: string,
  notes: { secret?: boolean } = {},
): Setting<T> {
  return { kind, fallback, doc: doc.replace(/\s+/g, ' ').trim(), secret: notes.secret ?? false };
}
