import type { DocumentFilter, QueryNode } from '../../contracts/search-index.ts';
import { FIELDS } from '../../index/fields.ts';
import type { TextCopy } from '../text-source.ts';
import type { ShardQuestion, ShardRequest, SharedStatistics, TermCount } from './shard-protocol.ts';
import { BadShardMessage, finiteOf, listOf, objectOf, textOf as textUpTo, wholeOf } from './shard-values.ts';

const LONGEST_TEXT = 16_384;
/** A query has up to 8,000 characters, each of which may be a word with several readings. */
const MOST_TEXTS = 65_536;
const MOST_NUMBERS = 50_000;
const MOST_NODES = 65_536;
const DEEPEST = 64;
const MOST_MATCHES = 20_000;
const MOST_COPIES = 1000;

/** Reads what was sent; everything in it is checked, for it came over a network. Throws `BadShardMessage`. */
export function readShardRequest(text: string): ShardRequest {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    throw new BadShardMessage('it is no JSON');
  }
  const { protocol, version, question } = objectOf(sent);
  return {
    protocol: wholeOf(protocol, 1_000_000),
    ...(version === undefined ? {} : { version: textOf(version) }),
    ...(question === undefined ? {} : { question: questionOf(objectOf(question)) }),
  };
}

function questionOf(sent: Record<string, unknown>): ShardQuestion {
  const nodes = { left: MOST_NODES };
  const query = (): QueryNode => nodeOf(sent.query, nodes, 0);
  switch (sent.kind) {
    case 'frequencies':
      return { kind: 'frequencies', terms: textsOf(sent.terms) };
    case 'terms':
      return { kind: 'terms', prefix: textOf(sent.prefix) };
    case 'matches':
      return {
        ...{ kind: 'matches', query: query(), most: wholeOf(sent.most, MOST_MATCHES), filter: filterOf(sent.filter) },
        ...(sent.seen === undefined ? {} : { seen: wholeOf(sent.seen, MOST_MATCHES) }),
        statistics: statisticsOf(sent.statistics),
      };
    case 'matches-any':
      return {
        ...{ kind: 'matches-any', query: query(), documents: numbersOf(sent.documents) },
        statistics: statisticsOf(sent.statistics),
      };
    case 'explain':
      return {
        ...{ kind: 'explain', query: query(), document: numberOf(sent.document) },
        statistics: statisticsOf(sent.statistics),
      };
    case 'documents':
    case 'count-facts':
      return { kind: sent.kind, documents: numbersOf(sent.documents) };
    case 'select':
      return {
        ...{ kind: 'select', documents: numbersOf(sent.documents) },
        ...{ hosts: textsOf(sent.hosts), clusters: listOf(sent.clusters, MOST_TEXTS).map(finiteOf) },
      };
    case 'find':
      return { kind: 'find', id: textOf(sent.id) };
    case 'texts':
      return { kind: 'texts', copies: listOf(sent.copies, MOST_COPIES).map(copyOf) };
    case 'description':
      return { kind: 'description', copy: copyOf(sent.copy) };
    default:
      throw new BadShardMessage('it asks a question of another kind');
  }
}

function nodeOf(value: unknown, nodes: { left: number }, depth: number): QueryNode {
  if (depth > DEEPEST || nodes.left-- === 0) throw new BadShardMessage('its query is too large');
  const sent = objectOf(value);
  const inner = (): QueryNode[] => listOf(sent.nodes, MOST_NODES).map((node) => nodeOf(node, nodes, depth + 1));
  const field = sent.field === undefined ? {} : { field: fieldOf(sent.field) };
  const forms = sent.forms === undefined ? {} : { forms: listOf(sent.forms, MOST_TEXTS).map(finiteOf) };
  switch (sent.kind) {
    case 'term':
      return {
        ...{ kind: 'term', terms: textsOf(sent.terms), ...forms, ...field },
        ...(sent.only === 'form' || sent.only === 'derivation' ? { only: sent.only } : {}),
        ...(sent.boost === undefined ? {} : { boost: finiteOf(sent.boost) }),
      };
    case 'phrase':
      return {
        ...{ kind: 'phrase', terms: textsOf(sent.terms), ...forms, ...field },
        offsets: listOf(sent.offsets, MOST_TEXTS).map((offset) => wholeOf(offset, MOST_NUMBERS)),
      };
    case 'prefix':
      return { kind: 'prefix', prefix: textOf(sent.prefix), ...field };
    case 'and':
      return { kind: 'and', nodes: inner() };
    case 'or':
      return {
        ...{ kind: 'or', nodes: inner() },
        ...(sent.least === undefined ? {} : { least: wholeOf(sent.least, MOST_NODES) }),
      };
    case 'not':
      return { kind: 'not', node: nodeOf(sent.node, nodes, depth + 1) };
    case 'all':
      return { kind: 'all' };
    default:
      throw new BadShardMessage('its query has a node of another kind');
  }
}

function filterOf(value: unknown): DocumentFilter {
  const sent = objectOf(value);
  const lists = ['sites', 'notSites', 'languages', 'mediaTypes', 'inUrl'] as const;
  const times = ['before', 'after'] as const;
  return {
    ...Object.fromEntries(lists.flatMap((name) => (sent[name] === undefined ? [] : [[name, textsOf(sent[name])]]))),
    ...Object.fromEntries(times.flatMap((name) => (sent[name] === undefined ? [] : [[name, finiteOf(sent[name])]]))),
  };
}

function statisticsOf(value: unknown): SharedStatistics {
  const { totals, frequencies, prefixes } = objectOf(value);
  const { documents, lengthSums, newest } = objectOf(totals);
  const sums = listOf(lengthSums, FIELDS.length).map(finiteOf);
  if (sums.length !== FIELDS.length) throw new BadShardMessage('its documents have other fields');
  return {
    totals: { documents: finiteOf(documents), lengthSums: sums, newest: finiteOf(newest) },
    frequencies: mapOf(frequencies, finiteOf),
    prefixes: mapOf(prefixes, (terms) => listOf(terms, MOST_TEXTS).map(termCountOf)),
  };
}

function termCountOf(value: unknown): TermCount {
  const { term, documents } = objectOf(value);
  return { term: textOf(term), documents: finiteOf(documents) };
}

function copyOf(value: unknown): TextCopy {
  const { id, fetchedAt } = objectOf(value);
  return { id: textOf(id), ...(fetchedAt === undefined ? {} : { fetchedAt: finiteOf(fetchedAt) }) };
}

function mapOf<T>(value: unknown, read: (value: unknown) => T): Record<string, T> {
  const entries = Object.entries(objectOf(value));
  if (entries.length > MOST_TEXTS) throw new BadShardMessage('a list in it is too long');
  // Without a prototype: a term may be called anything.
  const map: Record<string, T> = Object.create(null);
  for (const [name, one] of entries) map[textOf(name)] = read(one);
  return map;
}

function fieldOf(value: unknown) {
  const field = FIELDS.find((name) => name === value);
  if (field === undefined) throw new BadShardMessage('it names a field that there is not');
  return field;
}

function textsOf(value: unknown): string[] {
  return listOf(value, MOST_TEXTS).map(textOf);
}

function textOf(value: unknown): string {
  return textUpTo(value, LONGEST_TEXT);
}

function numbersOf(value: unknown): number[] {
  return listOf(value, MOST_NUMBERS).map(numberOf);
}

/** Of a document. */
function numberOf(value: unknown): number {
  return wholeOf(value, 2 ** 32 - 1);
}
