import type { SortedOccurrences } from '../store/occurrences.ts';
import type { KeptAnchors, TermOccurrences } from './kept-anchors.ts';

const NONE: TermOccurrences = {
  documents: new Uint32Array(0),
  places: new Uint32Array(0),
  forms: new Uint8Array(0),
  start: 0,
  end: 0,
};

/** The terms of new anchors and of those that are kept, in order. No document has both. */
export class AnchorTerms {
  readonly #fresh: SortedOccurrences;
  readonly #kept: KeptAnchors | undefined;
  #nextFresh = 0;
  #isKeptTaken = false;

  constructor(fresh: SortedOccurrences, kept?: KeptAnchors) {
    this.#fresh = fresh;
    this.#kept = kept;
  }

  /** The next term. */
  get term(): string | undefined {
    const fresh = this.#freshTerm;
    const kept = this.#keptTerm;
    return fresh === undefined || (kept !== undefined && kept < fresh) ? kept : fresh;
  }

  /** Where they have the term, until the next call; terms are asked for in order, whether they have them or not. */
  take(term: string): TermOccurrences {
    const fresh = this.#freshTerm === term ? this.#takeFresh() : NONE;
    if (this.#kept === undefined || this.#keptTerm !== term) return fresh;
    this.#isKeptTaken = true;
    const kept = this.#kept.occurrences;
    return fresh === NONE ? kept : byDocument(fresh, kept);
  }

  /** The next one comes into the memory of the one before, so that it is read only when it is asked for. */
  get #keptTerm(): string | undefined {
    if (this.#isKeptTaken) this.#kept?.advance();
    this.#isKeptTaken = false;
    return this.#kept?.term;
  }

  get #freshTerm(): string | undefined {
    const { terms, order } = this.#fresh;
    return this.#nextFresh < order.length ? terms[order[this.#nextFresh]] : undefined;
  }

  #takeFresh(): TermOccurrences {
    const { order, starts, documents, places, forms } = this.#fresh;
    const number = order[this.#nextFresh++];
    return { documents, places, forms, start: starts[number], end: starts[number + 1] };
  }
}

function byDocument(one: TermOccurrences, other: TermOccurrences): TermOccurrences {
  const end = one.end - one.start + other.end - other.start;
  const documents = new Uint32Array(end);
  const places = new Uint32Array(end);
  const forms = new Uint8Array(end);
  for (let at = 0, a = one.start, b = other.start; at < end; at++) {
    const isOne = b === other.end || (a < one.end && one.documents[a] < other.documents[b]);
    const from = isOne ? one : other;
    const next = isOne ? a++ : b++;
    documents[at] = from.documents[next];
    places[at] = from.places[next];
    forms[at] = from.forms[next];
  }
  return { documents, places, forms, start: 0, end };
}
