import type {
  DocumentFacts,
  FactCounts,
  ScorePart,
  StoredDocument,
  ValueCounts,
} from '../../contracts/search-index.ts';
import { FIELDS } from '../../index/fields.ts';
import type { ShardState } from '../../index/shard-index.ts';
import type { ShardAnswers, ShardMatch, ShardMatches, ShardQuestion } from './shard-protocol.ts';
import { BadShardMessage, booleanOf, finiteOf, listOf, objectOf, textOf, wholeOf } from './shard-values.ts';

/** A reply as a whole is bounded where it is received. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;
const MOST_DOCUMENTS = 2 ** 32 - 1;
const DEEPEST = 64;

/** Reads what a shard says of its newest state; everything in it is checked, for it came over a network. Throws `BadShardMessage`. */
export function readShardState(value: unknown): ShardState {
  const { version, numbers, documents, lengthSums, newest } = objectOf(value);
  const sums = listOf(lengthSums, FIELDS.length).map(finiteOf);
  if (sums.length !== FIELDS.length) throw new BadShardMessage('its documents have other fields');
  return {
    ...{ version: textOf(version, ANY_LENGTH), numbers: wholeOf(numbers, MOST_DOCUMENTS) },
    ...{ documents: wholeOf(documents, MOST_DOCUMENTS), lengthSums: sums, newest: finiteOf(newest) },
  };
}

/** The answer to a question about a state of a shard, checked in the same way. `numbers`: those of its documents are below. */
export function readShardAnswer(
  question: ShardQuestion,
  answer: unknown,
  numbers: number,
): ShardAnswers[ShardQuestion['kind']] {
  switch (question.kind) {
    case 'frequencies':
      return asManyAs(question.terms, answer).map(countOf);
    case 'terms':
      return listOf(answer, ANY_LENGTH).map((value) => {
        const { term, documents } = objectOf(value);
        return { term: stringOf(term), documents: countOf(documents) };
      });
    case 'matches':
      return matchesOf(answer, numbers);
    case 'matches-any':
      return booleanOf(answer);
    case 'explain':
      return scorePartOf(answer, 0);
    case 'documents':
      return asManyAs(question.documents, answer).map(storedOf);
    case 'count-facts':
      return factCountsOf(answer);
    case 'select':
      return listOf(answer, question.documents.length).map((value) => documentOf(value, numbers));
    case 'find':
      return answer === null ? null : documentOf(answer, numbers);
    case 'texts':
      return asManyAs(question.copies, answer).map(stringOrNull);
    case 'description':
      return stringOrNull(answer);
  }
}

function matchesOf(value: unknown, numbers: number): ShardMatches {
  const { total, exact, isPart, best, documents, candidates, stored } = objectOf(value);
  const matches = listOf(candidates, numbers).map((candidate) => matchOf(candidate, numbers));
  return {
    ...{ total: finiteOf(total), exact: booleanOf(exact), isPart: booleanOf(isPart), best: finiteOf(best) },
    documents: listOf(documents, numbers).map((document) => documentOf(document, numbers)),
    candidates: matches,
    stored: listOf(stored, matches.length).map(storedOf),
  };
}

function matchOf(value: unknown, numbers: number): ShardMatch {
  const { document, byWords, score, host, cluster, language, mediaType } = objectOf(value);
  return {
    ...{ document: documentOf(document, numbers), byWords: finiteOf(byWords), score: finiteOf(score) },
    ...{ host: stringOf(host), cluster: finiteOf(cluster) },
    ...{ language: stringOf(language), mediaType: stringOf(mediaType) },
  };
}

function storedOf(value: unknown): StoredDocument {
  const { id, title, facts, lengths, anchorSum } = objectOf(value);
  return {
    ...{ id: stringOf(id), title: stringOf(title), facts: factsOf(facts) },
    ...{ lengths: listOf(lengths, FIELDS.length).map(finiteOf), anchorSum: finiteOf(anchorSum) },
  };
}

function factsOf(value: unknown): DocumentFacts {
  const { host, mediaType, language, date, fetchedAt, cluster, spam, rank } = objectOf(value);
  return {
    ...{ host: stringOf(host), mediaType: stringOf(mediaType), language: stringOf(language), date: finiteOf(date) },
    ...{ fetchedAt: finiteOf(fetchedAt), cluster: finiteOf(cluster), spam: finiteOf(spam), rank: finiteOf(rank) },
  };
}

function factCountsOf(value: unknown): FactCounts {
  const { host, mediaType, language, year } = objectOf(value);
  return {
    ...{ host: valueCountsOf(host, stringOf), mediaType: valueCountsOf(mediaType, stringOf) },
    ...{ language: valueCountsOf(language, stringOf), year: valueCountsOf(year, finiteOf) },
  };
}

function valueCountsOf<Value extends string | number>(
  value: unknown,
  read: (value: unknown) => Value,
): ValueCounts<Value> {
  const sent = objectOf(value);
  const values = listOf(sent.values, ANY_LENGTH).map(read);
  return { values, counts: asManyAs(values, sent.counts).map(countOf) };
}

function scorePartOf(value: unknown, depth: number): ScorePart {
  if (depth > DEEPEST) throw new BadShardMessage('it is too deep');
  const { what, value: worth, parts } = objectOf(value);
  return {
    ...{ what: stringOf(what), value: finiteOf(worth) },
    ...(parts === undefined ? {} : { parts: listOf(parts, ANY_LENGTH).map((part) => scorePartOf(part, depth + 1)) }),
  };
}

function asManyAs(asked: readonly unknown[], value: unknown): readonly unknown[] {
  const list = listOf(value, asked.length);
  if (list.length === asked.length) return list;
  throw new BadShardMessage('a list in it is too short');
}

function documentOf(value: unknown, numbers: number): number {
  return wholeOf(value, numbers - 1);
}

function countOf(value: unknown): number {
  return wholeOf(value, MOST_DOCUMENTS);
}

function stringOf(value: unknown): string {
  return textOf(value, ANY_LENGTH);
}

function stringOrNull(value: unknown): string | null {
  return value === null ? null : stringOf(value);
}
