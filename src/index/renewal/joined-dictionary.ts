import type { FoundTerm } from '../format/found-term.ts';
import { TermCursor } from '../format/term-cursor.ts';
import type { TermDictionary } from '../format/term-dictionary.ts';

/** Terms to be found: of a dictionary, or of one with what has changed. */
export interface TermSource {
  find(term: string): FoundTerm | undefined;
  /** All terms from this one on, in order. */
  from(term: string): Iterator<FoundTerm, void> & Iterable<FoundTerm>;
  /** All terms in order, for those who ask for little of each. */
  cursor(): TermCursor;
}

/** The terms of a segment with those of renewed anchors, which tell how many documents hold a term now. */
export class JoinedDictionary implements TermSource {
  readonly #written: TermDictionary;
  readonly #renewed: TermDictionary;

  constructor(written: TermDictionary, renewed: TermDictionary) {
    this.#written = written;
    this.#renewed = renewed;
  }

  find(term: string): FoundTerm | undefined {
    const written = this.#written.find(term);
    const renewed = this.#renewed.find(term);
    return renewed === undefined ? written : joined(term, written, renewed);
  }

  cursor(): TermCursor {
    return TermCursor.ofFound(this.from(''));
  }

  *from(term: string): Generator<FoundTerm, void, undefined> {
    const renewing = this.#renewed.from(term);
    let renewed = renewing.next().value ?? undefined;
    for (const written of this.#written.from(term)) {
      for (; renewed !== undefined && renewed.term < written.term; renewed = renewing.next().value ?? undefined) {
        const added = joined(renewed.term, undefined, renewed);
        if (added !== undefined) yield added;
      }
      if (renewed?.term !== written.term) {
        yield written;
        continue;
      }
      const both = joined(written.term, written, renewed);
      if (both !== undefined) yield both;
      renewed = renewing.next().value ?? undefined;
    }
    for (; renewed !== undefined; renewed = renewing.next().value ?? undefined) {
      const added = joined(renewed.term, undefined, renewed);
      if (added !== undefined) yield added;
    }
  }
}

/** Undefined where no document holds the term any longer. */
function joined(
  term: string,
  written: FoundTerm | undefined,
  { documents, postingsAt: listAt, postingsLength: listLength }: FoundTerm,
): FoundTerm | undefined {
  if (documents === 0) return undefined;
  const renewed = { written: written?.documents ?? 0, listAt, listLength };
  return { ...(written ?? NOWHERE), term, documents, renewed };
}

const NOWHERE = { postingsAt: 0, postingsLength: 0, positionsAt: 0, positionsLength: 0 };
