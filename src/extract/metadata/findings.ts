import { decodeReferences } from '../character-references.ts';
import { collapse, detach } from '../white-space.ts';

export type Field =
  | 'title'
  | 'author'
  | 'published'
  | 'modified'
  | 'siteName'
  | 'banner'
  | 'language'
  | 'description'
  | 'image'
  | 'type'
  | 'tag'
  | 'category'
  | 'license';

/** Something that may be the value of a field. */
export interface Finding {
  readonly value: string;
  readonly source: string;
  /** The heavier is believed; of two alike the earlier. */
  readonly weight: number;
  /** Findings from one element of the page, e.g. the names in one byline. */
  readonly group?: number;
}

/** Values are often written through two templates, each of which escapes: `&amp;amp;`, and JSON-LD with entities. */
function decodeTwice(text: string): string {
  return text.includes('&') && /&(?:#\w+|[a-z]+\d*);/i.test(text) ? decodeReferences(text, false) : text;
}

/** More findings for one field, or longer ones, tell nothing new. */
const MAX_PER_FIELD = 100;
const MAX_LENGTH = 2000;

const NOTHING: readonly Finding[] = [];

/** Everything that was found, by field and in the order of the document. Bounded, whatever the page holds. */
export class Findings {
  readonly #byField = new Map<Field, Finding[]>();

  add(field: Field, value: string | undefined, source: string, weight: number, group?: number): void {
    if (value === undefined) return;
    const shown = collapse(decodeTwice(value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH) : value));
    if (shown === '') return;
    let found = this.#byField.get(field);
    if (found === undefined) {
      found = [];
      this.#byField.set(field, found);
    }
    if (found.length < MAX_PER_FIELD) found.push({ value: detach(shown), source, weight, group });
  }

  /** The heaviest first. */
  of(field: Field): readonly Finding[] {
    const found = this.#byField.get(field);
    if (found === undefined) return NOTHING;
    return found.length === 1 ? found : found.toSorted((a, b) => b.weight - a.weight);
  }

  best(field: Field): Finding | undefined {
    let best: Finding | undefined;
    for (const finding of this.#byField.get(field) ?? NOTHING)
      if (best === undefined || finding.weight > best.weight) best = finding;
    return best;
  }
}
