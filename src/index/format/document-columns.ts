import type { DocumentFacts } from '../../contracts/search-index.ts';
import { FIELDS } from '../fields.ts';
import { idHash } from './id-hash.ts';
import { type ColumnForm, NumberColumn, packColumn } from './number-column.ts';
import { lengthOfByte } from './quantise.ts';
import { urlForm } from './url-form.ts';
import { yearCodes } from './year-codes.ts';

const NUMBERS = [
  'host',
  'mediaType',
  'language',
  'date',
  'fetchedAt',
  'cluster',
  'spam',
  'rank',
  'urlForm',
  'anchorSum',
] as const;
type NumberName = (typeof NUMBERS)[number];
const WORDS = ['host', 'mediaType', 'language'] as const;
type WordName = (typeof WORDS)[number];

const NONE: readonly number[] = Object.freeze([]);

/** The parts of a documents file; sections by name, `forms` and `words` in its head. */
export interface PackedColumns {
  readonly sections: Map<string, Uint8Array>;
  readonly forms: Record<string, ColumnForm>;
  readonly lengthSums: readonly number[];
}

/** Gathers what is known of documents besides their words. */
export class DocumentColumnsWriter {
  readonly #lengths: number[][] = FIELDS.map(() => []);
  readonly #numbers = Object.fromEntries(NUMBERS.map((name) => [name, []])) as unknown as Record<NumberName, number[]>;
  readonly #words: Record<WordName, Map<string, number>> = {
    host: new Map(),
    mediaType: new Map(),
    language: new Map(),
  };
  readonly #hashes: number[] = [];
  readonly #lengthSums = FIELDS.map(() => 0);

  get documents(): number {
    return this.#hashes.length;
  }

  /** `lengths` are those of the fields, in order, as bytes. */
  add(id: string, facts: DocumentFacts, lengths: ArrayLike<number>, anchorSum: number): void {
    for (let field = 0; field < FIELDS.length; field++) {
      this.#lengths[field].push(lengths[field]);
      this.#lengthSums[field] += lengthOfByte(lengths[field]);
    }
    this.#hashes.push(idHash(id));
    for (const name of WORDS) this.#numbers[name].push(numberOf(this.#words[name], facts[name]));
    for (const name of ['date', 'fetchedAt', 'cluster', 'spam', 'rank'] as const) this.#numbers[name].push(facts[name]);
    this.#numbers.urlForm.push(Math.round(urlForm(id) * 255));
    this.#numbers.anchorSum.push(anchorSum);
  }

  /** The byte columns as they are now, for whoever weighs postings while they are written. */
  lengthColumns(): Uint8Array[] {
    return this.#lengths.map((column) => Uint8Array.from(column));
  }

  get lengthSums(): readonly number[] {
    return this.#lengthSums;
  }

  pack(): PackedColumns {
    const sections = new Map<string, Uint8Array>();
    const forms: Record<string, ColumnForm> = {};
    for (const [field, column] of this.#lengths.entries()) {
      // A field that no document has takes no space.
      sections.set(`length-${field}`, this.#lengthSums[field] === 0 ? new Uint8Array(0) : Uint8Array.from(column));
    }
    for (const name of NUMBERS) {
      const { form, bytes } = packColumn(this.#numbers[name]);
      forms[name] = form;
      sections.set(`number-${name}`, bytes);
    }
    for (const name of WORDS) sections.set(`words-${name}`, Buffer.from(JSON.stringify([...this.#words[name].keys()])));
    const order = Uint32Array.from(this.#hashes, (_, document) => document).sort(
      (a, b) => this.#hashes[a] - this.#hashes[b],
    );
    sections.set('hashes', new Uint8Array(Uint32Array.from(order, (document) => this.#hashes[document]).buffer));
    sections.set('hashed', new Uint8Array(order.buffer));
    return { sections, forms, lengthSums: this.#lengthSums };
  }
}

function readWords({ buffer, byteOffset, byteLength }: Uint8Array): readonly string[] {
  return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
}

function isWord(name: NumberName): name is WordName {
  return name === 'host' || name === 'mediaType' || name === 'language';
}

function numberOf(words: Map<string, number>, word: string): number {
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, words.size);
  return words.size - 1;
}

/** What is known of the documents of a segment besides their words. */
export class DocumentColumns {
  /** A byte per document, for each field. */
  readonly lengths: readonly Uint8Array[];
  readonly #numbers: Record<NumberName, NumberColumn>;
  /** As they were written until somebody asks: who writes the index asks for those of few segments. */
  readonly #words: Record<WordName, Uint8Array | readonly string[]>;
  readonly #hashes: Uint32Array;
  readonly #hashed: Uint32Array;
  #years: Uint16Array | undefined;
  #hostNumbers: Map<string, number> | undefined;

  constructor(sections: (name: string) => Uint8Array, forms: Record<string, ColumnForm>) {
    this.#numbers = Object.fromEntries(
      NUMBERS.map((name) => [name, new NumberColumn(forms[name], sections(`number-${name}`))]),
    ) as Record<NumberName, NumberColumn>;
    this.#words = Object.fromEntries(WORDS.map((name) => [name, sections(`words-${name}`)])) as Record<
      WordName,
      Uint8Array
    >;
    // What is damaged is found out when the segment is opened.
    for (const name of WORDS) readWords(this.#words[name] as Uint8Array);
    this.#hashes = new Uint32Array(sections('hashes').buffer);
    this.#hashed = new Uint32Array(sections('hashed').buffer);
    const nothing = new Uint8Array(this.#hashed.length);
    this.lengths = FIELDS.map((_, field) => {
      const lengths = sections(`length-${field}`);
      return lengths.length === 0 ? nothing : lengths;
    });
  }

  /** For those who read one fact of many documents. */
  column(name: NumberName): NumberColumn {
    return this.#numbers[name];
  }

  number(name: NumberName, document: number): number {
    return this.#numbers[name].at(document);
  }

  /** The hosts, media types or languages that `number` counts. */
  words(name: WordName): readonly string[] {
    const words = this.#words[name];
    if (!(words instanceof Uint8Array)) return words;
    const read = readWords(words);
    this.#words[name] = read;
    return read;
  }

  /** The number of a host among `words`; undefined where no document is of it. */
  hostNumber(host: string): number | undefined {
    this.#hostNumbers ??= new Map(this.words('host').map((word, number) => [word, number]));
    return this.#hostNumbers.get(host);
  }

  /** The code of each document's year, as year-codes.ts has them. */
  get years(): Uint16Array {
    this.#years ??= yearCodes(this.#hashed.length, (document) => this.number('date', document));
    return this.#years;
  }

  facts(document: number): DocumentFacts {
    return {
      host: this.#word('host', document),
      mediaType: this.#word('mediaType', document),
      language: this.#word('language', document),
      date: this.number('date', document),
      fetchedAt: this.number('fetchedAt', document),
      cluster: this.number('cluster', document),
      spam: this.number('spam', document),
      rank: this.number('rank', document),
    };
  }

  fact(name: keyof DocumentFacts, document: number): string | number {
    return isWord(name) ? this.#word(name, document) : this.number(name, document);
  }

  #word(name: WordName, document: number): string {
    return this.words(name)[this.number(name, document)];
  }

  /** Documents whose id may be this one. */
  withHash(hash: number): readonly number[] {
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#hashes[middle] < hash) low = middle + 1;
      else high = middle;
    }
    if (this.#hashes[low] !== hash) return NONE;
    const found: number[] = [];
    for (; this.#hashes[low] === hash; low++) found.push(this.#hashed[low]);
    return found;
  }
}
