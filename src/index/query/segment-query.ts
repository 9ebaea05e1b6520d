import type { QueryNode } from '../../contracts/search-index.ts';
import { BASE_FORM } from '../analysis/word-forms.ts';
import { FIELDS } from '../fields.ts';
import { holdsDerivation, holdsForm } from '../format/form-marks.ts';
import type { SearchMemory } from '../memory/search-memory.ts';
import { BlockCursor } from './block-cursor.ts';
import { DenseCursor } from './dense-cursor.ts';
import { phraseList } from './phrase-list.ts';
import { type Phrase, PhraseMatcher } from './phrase-matcher.ts';
import type { LeafPlan, QueryPlan } from './query-plan.ts';
import { END, type ScoreCursor } from './score-cursor.ts';
import { type ScoredList, ScoredListBuilder } from './scored-list.ts';
import type { SearchedSegment } from './searched-segment.ts';
import { type HeldTerm, unionOfTerms } from './term-union.ts';

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
    const { blocks } = this.#memory;
    if (node.kind === 'term' && node.field === undefined && node.only === undefined) {
      const { terms, weight } = this.#plan.leaf(node);
      const held = terms.flatMap((term) => this.#searched.segment.postings(term) ?? []);
      if (held.length === 1) {
        const { weigher, boundShares } = this.#searched;
        const scoring = { weigher, weight, k1: this.#k1, boundShares };
        const { dense } = held[0];
        return dense === undefined
          ? BlockCursor.ofTerm(held[0], scoring, blocks)
          : new DenseCursor(held[0], dense, scoring, blocks);
      }
    }
    return BlockCursor.ofList(this.#list(node), blocks);
  }

  phrase(node: Phrase): PhraseMatcher {
    return new PhraseMatcher(this.#searched, node, this.#plan.leaf(node), this.#k1, this.#memory.blocks);
  }

  #list(node: QueryNode): ScoredList {
    switch (node.kind) {
      case 'term':
      case 'prefix':
        return this.#union(node, this.#plan.leaf(node));
      case 'phrase':
        return phraseList(this.phrase(node));
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

/** Which postings of a term count where only some forms of it do. */
function formLimit(node: QueryNode, term: string): Pick<HeldTerm, 'accepts'> {
  if (node.kind !== 'term' || node.only === undefined) return {};
  const form = node.forms?.[node.terms.indexOf(term)] ?? BASE_FORM;
  const holds = node.only === 'form' ? holdsForm : holdsDerivation;
  return { accepts: (forms) => holds(forms, form) };
}
