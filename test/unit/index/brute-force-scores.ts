import type { DocumentFilter, IndexedDocument, QueryNode } from '../../../src/contracts/search-index.ts';
import type { Analyze } from '../../../src/index/analyze.ts';
import { FIELDS } from '../../../src/index/fields.ts';
import {
  anchorWeightOfLevel,
  byteOfLength,
  frequencyOfLevel,
  lengthOfByte,
  levelOfAnchorWeight,
  levelOfFrequency,
} from '../../../src/index/format/quantise.ts';
import { urlForm, urlText } from '../../../src/index/format/url-form.ts';
import { DEFAULT_RANKING, type RankingOptions } from '../../../src/index/ranking-options.ts';

/** Nothing counts but the words. */
export const WORDS_ALONE: RankingOptions = {
  ...DEFAULT_RANKING,
  ...{ proximity: 0, titleMatch: 0, rank: 0, spam: 0, urlForm: 0, freshness: 0 },
};

/** Lower-case words; a dot leaves a gap as a stop word does. What follows a colon is the form of the word: cat:7. */
export const analyzeWords: Analyze = (text, _language, emit) => {
  let position = 0;
  for (const word of text.toLowerCase().split(/\s+/)) {
    if (word === '') continue;
    const [term, form = '0'] = word.split(':');
    if (word !== '.') emit(term, position, Number(form));
    position++;
  }
  return position;
};

interface Occurrence {
  readonly term: string;
  readonly position: number;
  readonly weight: number;
  readonly form: number;
}

interface Field {
  readonly occurrences: Occurrence[];
  readonly length: number;
}

function readFields(document: IndexedDocument, analyze: Analyze): Field[] {
  return FIELDS.map((name) => {
    const occurrences: Occurrence[] = [];
    let length = 0;
    const read = (text: string, weight: number): number =>
      analyze(text, document.facts.language, (term, position, form = 0) =>
        occurrences.push({ term, position: length + position, weight, form }),
      );
    if (name === 'anchors') {
      for (const anchor of document.anchors) {
        const used = read(anchor.text, Math.round(anchor.weight * 16) / 16);
        if (used > 0) length += used + 1;
      }
    } else length = read(name === 'url' ? urlText(document.id) : document[name], 1);
    return { occurrences, length: lengthOfByte(byteOfLength(length)) };
  });
}

/**
 * The score of every matching document, told by reading all of them: what an index has to come to.
 * Frequencies and lengths are rounded as the format rounds them.
 */
export function bruteForceScores(
  documents: readonly IndexedDocument[],
  query: QueryNode,
  ranking: RankingOptions,
  analyze: Analyze = analyzeWords,
  accepts: (document: IndexedDocument) => boolean = () => true,
): Map<string, number> {
  const read = documents.map((document) => ({ document, fields: readFields(document, analyze) }));
  const averages = FIELDS.map((_, at) => read.reduce((sum, { fields }) => sum + fields[at].length, 0) / read.length);
  const newest = Math.max(0, ...documents.map(({ facts }) => facts.date));
  const scale = ranking.k1 + 1;

  const frequencies = new Map<string, number>();
  for (const { fields } of read) {
    const held = new Set(fields.flatMap(({ occurrences }) => occurrences.map(({ term }) => term)));
    for (const term of held) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  }
  const frequencyOf = (term: string): number => frequencies.get(term) ?? 0;
  const idf = (frequency: number): number => Math.log(1 + (read.length - frequency + 0.5) / (frequency + 0.5));
  const worth = (fields: readonly Field[], at: number, frequency: number): number => {
    const b = averages[at] > 0 ? (ranking.b[FIELDS[at]] * averages[at]) / (averages[at] + ranking.lengthPivot) : 0;
    const relative = averages[at] > 0 ? fields[at].length / averages[at] : 1;
    return (ranking.weights[FIELDS[at]] * frequency) / (1 - b + b * relative);
  };
  const saturate = (weight: number): number => weight / (weight + ranking.k1);
  const weighed = new Map<QueryNode, { terms: string[]; weight: number }>();
  const weightOfTerms = (node: QueryNode): { terms: string[]; weight: number } => {
    const known = weighed.get(node) ?? weigh(node);
    weighed.set(node, known);
    return known;
  };
  const weigh = (node: QueryNode): { terms: string[]; weight: number } => {
    if (node.kind !== 'term' && node.kind !== 'prefix') return { terms: [], weight: 0 };
    const terms =
      node.kind === 'term'
        ? [...new Set(node.terms)]
        : [...frequencies.keys()].filter((term) => term.startsWith(node.prefix));
    const frequency = Math.min(
      read.length,
      terms.reduce((sum, term) => sum + frequencyOf(term), 0),
    );
    return { terms, weight: idf(frequency) * (node.kind === 'term' ? (node.boost ?? 1) : 1) * scale };
  };

  const score = (node: QueryNode, fields: readonly Field[]): number | undefined => {
    switch (node.kind) {
      case 'term':
      case 'prefix': {
        const { terms, weight } = weightOfTerms(node);
        let sum = 0;
        for (const term of terms) {
          if (node.kind === 'term' && node.only !== undefined) {
            const near = nearness(fields, term, node.forms?.[node.terms.indexOf(term)] ?? 0);
            if (near < (node.only === 'form' ? 1 : 0.5)) continue;
          }
          for (const [at, name] of FIELDS.entries()) {
            if (node.field !== undefined && node.field !== name) continue;
            const held = fields[at].occurrences.filter((occurrence) => occurrence.term === term);
            if (held.length === 0) continue;
            const total = held.reduce((all, occurrence) => all + occurrence.weight, 0);
            const rounded =
              name === 'anchors'
                ? anchorWeightOfLevel(levelOfAnchorWeight(total))
                : frequencyOfLevel(levelOfFrequency(total));
            sum += worth(fields, at, rounded);
          }
        }
        return sum > 0 ? weight * saturate(sum) : undefined;
      }
      case 'phrase': {
        let sum = 0;
        for (const [at, name] of FIELDS.entries()) {
          if (node.field !== undefined && node.field !== name) continue;
          const at0 = fields[at].occurrences.filter(({ term }) => term === node.terms[0]);
          for (const { position } of at0) {
            const start = position - node.offsets[0];
            const whole = node.terms.every((term, i) =>
              fields[at].occurrences.some((held) => held.term === term && held.position === start + node.offsets[i]),
            );
            if (whole) sum += worth(fields, at, 1);
          }
        }
        const weight = node.terms.reduce((all, term) => all + idf(frequencyOf(term)), 0) * scale;
        return sum > 0 ? weight * saturate(sum) : undefined;
      }
      case 'and': {
        let sum = 0;
        for (const inner of node.nodes) {
          const part =
            inner.kind === 'not' ? (score(inner, fields) === undefined ? undefined : 0) : score(inner, fields);
          if (part === undefined) return undefined;
          sum += part;
        }
        return sum;
      }
      case 'or': {
        const parts = node.nodes.flatMap((inner) => score(inner, fields) ?? []);
        return parts.length >= Math.max(1, node.least ?? 1) ? parts.reduce((a, b) => a + b, 0) : undefined;
      }
      case 'not':
        return score(node.node, fields) === undefined ? 0 : undefined;
      case 'all':
        return 0;
    }
  };

  const words = (node: QueryNode): QueryNode[] =>
    node.kind === 'term' ? [node] : node.kind === 'and' || node.kind === 'or' ? node.nodes.flatMap(words) : [];
  const proximity = (fields: readonly Field[]): number => {
    const wanted = words(query);
    let sum = 0;
    for (let i = 1; i < wanted.length; i++) {
      const [a, b] = [weightOfTerms(wanted[i - 1]), weightOfTerms(wanted[i])];
      let best = Number.POSITIVE_INFINITY;
      for (const { occurrences } of fields) {
        for (const first of occurrences.filter(({ term }) => a.terms.includes(term))) {
          for (const second of occurrences.filter(({ term }) => b.terms.includes(term))) {
            const step = second.position - first.position;
            if (step !== 0) best = Math.min(best, step > 0 ? step : 1 - step);
          }
        }
      }
      if (best <= ranking.proximityWindow) sum += (ranking.proximity * Math.min(a.weight, b.weight)) / best;
    }
    return sum;
  };

  /** Up to six words, of which and of the title's at least three quarters are in both; a word said twice makes up for no other. */
  const titleMatch = (fields: readonly Field[]): number => {
    const wanted = words(query).map(weightOfTerms);
    const { occurrences, length } = fields[FIELDS.indexOf('title')];
    const held = wanted.filter(({ terms }) => occurrences.some(({ term }) => terms.includes(term)));
    const most = Math.max(wanted.length, length);
    const share = Math.min(held.length, length) / most;
    if (wanted.length === 0 || wanted.length > 6 || share < 0.75) return 0;
    return ranking.titleMatch * (held.length / most) * held.reduce((sum, { weight }) => sum + weight, 0);
  };

  /** 1 where a field has the term in a form with this ending and one with this suffix, half where the suffix alone fits. */
  function nearness(fields: readonly Field[], term: string, form: number): number {
    const forms = fields.flatMap(({ occurrences }) => occurrences.filter((held) => held.term === term));
    if (!forms.some((held) => Math.floor(held.form / 6) === Math.floor(form / 6))) return 0;
    return forms.some((held) => held.form % 6 === form % 6) ? 1 : 0.5;
  }
  const otherForms = (fields: readonly Field[]): number => {
    let sum = 0;
    const wanted = formWords(query);
    for (const { weight, forms } of wanted.flat()) {
      const title = [fields[FIELDS.indexOf('title')]];
      const near = (within: readonly Field[]): number =>
        Math.max(...forms.map(({ term, form }) => nearness(within, term, form)));
      const holds = (within: readonly Field[]): boolean =>
        within.some(({ occurrences }) => occurrences.some((held) => forms.some(({ term }) => term === held.term)));
      if (holds(fields)) sum += weight * ranking.form * (1 - near(fields));
      if (holds(title) && near(title) < 1) sum += weight * ranking.titleForm;
    }
    return wanted.length > 1 ? 0.0002 * sum : sum;
  };
  /** For each word or phrase. */
  const formWords = (node: QueryNode): { weight: number; forms: { term: string; form: number }[] }[][] => {
    if (node.kind === 'and' || node.kind === 'or') return node.nodes.flatMap(formWords);
    if ((node.kind !== 'term' && node.kind !== 'phrase') || node.forms === undefined) return [];
    const forms = node.forms.map((form, at) => ({ term: node.terms[at], form }));
    if (node.kind === 'term') return [[{ weight: weightOfTerms(node).weight, forms }]];
    const weight = node.terms.reduce((all, term) => all + idf(frequencyOf(term)), 0) * scale;
    return [forms.map((form) => ({ weight: weight / forms.length, forms: [form] }))];
  };

  const scores = new Map<string, number>();
  for (const { document, fields } of read) {
    const byWords = score(query, fields);
    if (byWords === undefined || !accepts(document)) continue;
    const { facts } = document;
    const freshness = facts.date > 0 ? 2 ** (-(newest - facts.date) / ranking.freshnessHalfLifeMs) : 0;
    const priors =
      ranking.rank * facts.rank -
      ranking.spam * facts.spam +
      (ranking.urlForm * Math.round(urlForm(document.id) * 255)) / 255 +
      ranking.freshness * freshness;
    scores.set(document.id, byWords + proximity(fields) + titleMatch(fields) - otherForms(fields) + priors);
  }
  return scores;
}

/** The filter, read plainly. */
export function passes(filter: DocumentFilter, { id, facts }: IndexedDocument): boolean {
  const within = (site: string): boolean => facts.host === site || facts.host.endsWith(`.${site}`);
  return (
    (filter.sites?.some(within) ?? true) &&
    !(filter.notSites?.some(within) ?? false) &&
    (filter.languages?.includes(facts.language) ?? true) &&
    (filter.mediaTypes?.includes(facts.mediaType) ?? true) &&
    (filter.before === undefined || (facts.date > 0 && facts.date < filter.before)) &&
    (filter.after === undefined || facts.date >= filter.after) &&
    (filter.inUrl?.every((text) => id.toLowerCase().includes(text.toLowerCase())) ?? true)
  );
}
