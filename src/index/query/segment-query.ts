import type { QueryNode } from '../../contracts/search-index.ts';
import { BASE_FORM } from '../analysis/word-forms.ts';
import { FIELDS } from '../fields.ts';
import { holdsDerivation, holdsForm } from '../format/form-marks.ts';
import type { TermPostings } from '../format/term-postings.ts';
import type { BlockArrays } from '../memory/block-arrays.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import { BlockCursor } from './cursors/block-cursor.ts';
import { DenseCursor } from './cursors/dense-cursor.ts';
import { END, type ScoreCursor, type TermCursor, type TermScoring } from './cursors/score-cursor.ts';
import { UnionCursor } from './cursors/union-cursor.ts';
import { PairMatches } from './pair-matches.ts';
import { phraseList } from './phrase-list.ts';
import { type Phrase, PhraseMatcher } from './phrase-matcher.ts';
import { pairHolders, pairsOf } from './phrase-pairs.ts';
import type { LeafPlan, QueryPlan } from './query-plan.ts';
import { type ScoredList, ScoredListBuilder } from './scored-list.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { type HeldTerm, unionOfTerms } from './term-union.ts';

/** This many terms of a word are walked over together; more are made one list first. */
const MOST_TOGETHER = 8;

/** Turns the nodes of a query into cursors over one segment. */
export class SegmentQuery {
  readonly #searched: SearchedSegment;
  readonly #plan: QueryPlan;
  readonly #k1: number;
  readonly #memory: SearchMemory;

  constructor(searched: SearchedSegment, plan: QueryPlan, k1: number, memory: SearchMemory) {
    this.#searched = searched;
    this.#plan = plan;
    this.#k1 = k1;
    this.#memory = memory;
  }

  cursor(node: QueryNode): ScoreCursor {
    const { blocks, windows } = this.#memory;
    const leaf = isWhole(node) ? this.#plan.leaf(node) : undefined;
    // Of more terms, as a prefix has, the postings are looked up once: for the list.
    if (leaf !== undefined && leaf.terms.length <= MOST_TOGETHER) {
      const { terms, weight } = leaf;
      const held = terms.flatMap((term) => this.#searched.segment.postings(term) ?? []);
      if (held.length > 0) {
        const { segment, weigher, bounds } = this.#searched;
        const scoring: TermScoring = { weigher, weight, k1: this.#k1, bounds };
        const cursors = held.map((postings) => termCursor(postings, scoring, blocks));
        return cursors.length === 1
          ? cursors[0]
          : new UnionCursor(cursors, held, segment.documents, scoring, blocks, windows);
      }
    }
    return BlockCursor.ofList(this.#list(node), blocks);
  }

  phrase(node: Phrase): PhraseMatcher | PairMatches {
    const searched = this.#searched;
    const { blocks, pairs: arrays } = this.#memory;
    const leaf = this.#plan.leaf(node);
    const pairs = pairsOf(node, searched);
    if (leaf.terms.length === 2 && pairs.length === 1) {
      const matcher = new PhraseMatcher(searched, node, leaf, this.#k1, blocks);
      return new PairMatches(searched, node, pairs[0], matcher, arrays);
    }
    const rarest = Math.min(...leaf.terms.map((term) => searched.segment.frequency(term)));
    const held = pairHolders(pairs, rarest, searched.segment.documents, arrays);
    return new PhraseMatcher(searched, node, leaf, this.#k1, blocks, held);
  }

  #list(node: QueryNode): ScoredList {
    switch (node.kind) {
      case 'term':
      case 'prefix':
        return this.#union(node, this.#plan.leaf(node));
      case 'phrase':
        return this.#phraseList(this.phrase(node));
      case 'and':
        return this.#every(node.nodes);
      case 'or':
        return this.#any(node.nodes, node.least ?? 1);
      case 'not':
        return this.#every([{ kind: 'all' }, node]);
      case 'all':
        return {
          documents: Uint32Array.from({ length: this.#searched.segment.documents }, (_, document) => document),
          scores: new Float64Array(this.#searched.segment.documents),
        };
    }
  }

  #phraseList(found: PhraseMatcher | PairMatches): ScoredList {
    return found instanceof PairMatches ? found.list() : phraseList(found);
  }

  /** Several terms as one word: their weights are added before they are saturated. */
  #union(node: Extract<QueryNode, { kind: 'term' | 'prefix' }>, leaf: LeafPlan): ScoredList {
    const { segment } = this.#searched;
    const unions = this.#memory.unionsOf(this.#searched);
    const known = unions.get(node);
    if (known !== undefined) return known;
    const held = leaf.terms.flatMap((term): HeldTerm[] => {
      const postings = segment.postings(term);
      return postings === undefined ? [] : [{ postings, ...formLimit(node, term) }];
    });
    const field = node.field === undefined ? -1 : FIELDS.indexOf(node.field);
    const list = unionOfTerms(held, this.#searched, field, this.#memory);
    const { scores } = list;
    for (let at = 0; at < scores.length; at++) scores[at] = (leaf.weight * scores[at]) / (scores[at] + this.#k1);
    unions.set(node, list);
    return list;
  }

  #every(nodes: readonly QueryNode[]): ScoredList {
    const required = nodes.filter((node) => node.kind !== 'not').map((node) => this.cursor(node));
    const excluded = nodes.flatMap((node) => (node.kind === 'not' ? [this.cursor(node.node)] : []));
    if (required.length === 0) return this.#every([{ kind: 'all' }, ...nodes]);
    const list = new ScoredListBuilder();
    const [lead, ...others] = [...required].sort((a, b) => a.documents - b.documents);
    for (let document = lead.document; document !== END; ) {
      let reached = document;
      for (const other of others) if (reached === document) reached = other.seek(document);
      if (reached !== document) {
        document = reached === END ? END : lead.seek(reached);
        continue;
      }
      if (!excluded.some((cursor) => cursor.seek(document) === document)) {
        list.add(
          document,
          required.reduce((sum, cursor) => sum + cursor.score(), 0),
        );
      }
      document = lead.seek(document + 1);
    }
    return list.list();
  }

  #any(nodes: readonly QueryNode[], least: number): ScoredList {
    const cursors = nodes.map((node) => this.cursor(node));
    const list = new ScoredListBuilder();
    for (;;) {
      let document = END;
      for (const cursor of cursors) if (cursor.document < document) document = cursor.document;
      if (document === END) return list.list();
      let score = 0;
      let found = 0;
      for (const cursor of cursors) {
        if (cursor.document !== document) continue;
        score += cursor.score();
        found++;
        cursor.seek(document + 1);
      }
      if (found >= least) list.add(document, score);
    }
  }
}

/** Whether all postings of its terms count. */
function isWhole(node: QueryNode): boolean {
  if (node.kind === 'prefix') return node.field === undefined;
  return node.kind === 'term' && node.field === undefined && node.only === undefined;
}

function termCursor(postings: TermPostings, scoring: TermScoring, arrays: BlockArrays): TermCursor {
  const { dense } = postings;
  return dense === undefined
    ? BlockCursor.ofTerm(postings, scoring, arrays)
    : new DenseCursor(postings, dense, scoring, arrays);
}

/** Which postings of a term count where only some forms of it do. */
function formLimit(node: QueryNode, term: string): Pick<HeldTerm, 'accepts'> {
  if (node.kind !== 'term' || node.only === undefined) return {};
  const form = node.forms?.[node.terms.indexOf(term)] ?? BASE_FORM;
  const holds = node.only === 'form' ? holdsForm : holdsDerivation;
  return { accepts: (forms) => holds(forms, form) };
}
