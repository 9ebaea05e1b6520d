import type { QueryNode } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import { holdsDerivation, holdsForm, titleHoldsForm } from '../format/form-marks.ts';
import type { RankingOptions } from '../ranking-options.ts';
import type { PostingReader, PostingReaders } from './posting-reader.ts';
import type { QueryPlan } from './query-plan.ts';
import type { SearchedSegment } from './searched-segment.ts';

const TITLE = FIELDS.indexOf('title');
/** What another ending of the same word costs of the whole: comprehensions for comprehension, rather than comprehensive. */
const OTHER_ENDING = 0.5;
/** Beside others a word or phrase is seldom meant in one form alone: there forms decide between equals, and nothing else. */
const SHARE_BESIDE_OTHERS = 0.0002;

interface AskedForm {
  readonly term: string;
  readonly form: number;
}

/** A word that was asked for: any of its terms, each in a form. */
interface FormWord {
  readonly weight: number;
  readonly forms: readonly AskedForm[];
}

/**
 * Tells what it takes from a document's score that it has words of the query in other forms than the one asked for. Taken rather than added for
 * the form itself: so the order of documents that have it stays what it is.
 */
export class FormMatch {
  readonly #words: readonly FormWord[];
  readonly #share: number;
  readonly #ranking: RankingOptions;
  readonly #shared: PostingReaders;
  readonly #readers = new Map<SearchedSegment, readonly (readonly { reader: PostingReader; form: number }[])[]>();

  constructor(query: QueryNode, plan: QueryPlan, ranking: RankingOptions, readers: PostingReaders) {
    this.#shared = readers;
    this.#ranking = ranking;
    const asked = ranking.form + ranking.titleForm > 0 ? formWords(query, plan) : [];
    this.#words = asked.flat();
    this.#share = asked.length > 1 ? SHARE_BESIDE_OTHERS : 1;
  }

  malus(searched: SearchedSegment, document: number): number {
    const { form: worth, titleForm: titleWorth } = this.#ranking;
    let sum = 0;
    const readers = this.#readersOf(searched);
    for (let at = 0; at < readers.length; at++) {
      let share = 1;
      let isHeld = false;
      let titleHolds: boolean | undefined;
      for (const { reader, form } of readers[at]) {
        if (reader.seek(document) !== document) continue;
        const { forms } = reader;
        isHeld = true;
        share = Math.min(share, holdsForm(forms, form) ? 0 : holdsDerivation(forms, form) ? OTHER_ENDING : 1);
        if (searched.segment.codes.frequency(reader.code, TITLE) > 0)
          titleHolds = titleHolds === true || titleHoldsForm(forms, form);
      }
      if (isHeld) sum += this.#words[at].weight * (worth * share + (titleHolds === false ? titleWorth : 0));
    }
    return this.#share * sum;
  }

  #readersOf(searched: SearchedSegment) {
    let readers = this.#readers.get(searched);
    if (readers === undefined) {
      readers = this.#words.map(({ forms }) =>
        forms.flatMap(({ term, form }) => {
          const reader = this.#shared.of(searched, term);
          return reader === undefined ? [] : [{ reader, form }];
        }),
      );
      this.#readers.set(searched, readers);
    }
    return readers;
  }
}

/** For each word or phrase that was asked for, its words. */
function formWords(node: QueryNode, plan: QueryPlan): FormWord[][] {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap((inner) => formWords(inner, plan));
  if ((node.kind !== 'term' && node.kind !== 'phrase') || node.forms === undefined) return [];
  const { weight } = plan.leaf(node);
  const forms = node.forms.map((form, at): AskedForm => ({ term: node.terms[at], form }));
  if (node.kind === 'term') return [[{ weight, forms }]];
  return [forms.map((form) => ({ weight: weight / forms.length, forms: [form] }))];
}
