import type { Readable } from 'node:stream';
import { OrbweaverError } from '../../base/errors.ts';
import { inputLines } from '../../search/indexing/imports/input-lines.ts';
import { badLine, withoutMark } from '../input-error.ts';
import { type RecordedGraph, RecordedGraphBuilder } from './recorded-graph.ts';

const EDGE_FORM = 'A line is "from to", two numbers of pages counted from 0 (or two URLs), apart by a tab or blanks.';
const NODE_FORM =
  'A line is the URL of page 0, 1, 2 ..., or a JSON object with "url" and, for focused crawls, "title".';

/**
 * Reads a graph of links: a file of edges, and one that names the pages. Without names, edges may name the pages
 * themselves, or the pages get addresses of their own. Plain or gzip; lines that begin with # are passed over.
 */
export async function readGraph(
  edges: string,
  nodes: string | undefined,
  standardInput: Readable,
): Promise<RecordedGraph> {
  const { urls, texts } = nodes === undefined ? {} : await readNodes(nodes, standardInput);
  const builder = new RecordedGraphBuilder();
  const numberOf = urls === undefined ? new NamesAsMet() : new KnownNames(urls, nodes ?? '');
  let line = 0;
  let count = 0;
  let passedOver = 0;
  let hadAnchor = false;
  for await (const written of inputLines(edges, standardInput)) {
    const text = line++ === 0 ? withoutMark(written) : written;
    // Words of links may hold line breaks: what follows such a link and is none itself belongs to it.
    if (hadAnchor && !/^\S+\t\S+(?:\t|$)/.test(text)) {
      passedOver++;
      continue;
    }
    if (text === '' || text.startsWith('#')) continue;
    const [from, to, anchor = ''] = text.split(text.includes('\t') ? '\t' : /\s+/, 3);
    if (from === undefined || to === undefined || from === '' || to === '') {
      throw badLine(edges, line, 'two pages are needed.', EDGE_FORM);
    }
    const ends = [from, to].map((name) => numberOf.find(name));
    for (const end of ends) if (typeof end === 'string') throw badLine(edges, line, end, EDGE_FORM);
    builder.add(ends[0] as number, ends[1] as number, anchor);
    hadAnchor = text.includes('\t') && anchor !== '';
    count++;
  }
  if (count === 0) throw new OrbweaverError('INPUT_INVALID', `${edges}: no link in it.`, { remedy: EDGE_FORM });
  return {
    ...builder.build(numberOf.urls()),
    ...(texts === undefined ? {} : { texts }),
    ...(passedOver === 0 ? {} : { passedOver }),
  };
}

async function readNodes(file: string, standardInput: Readable): Promise<{ urls: string[]; texts: string[] }> {
  const urls: string[] = [];
  const texts: string[] = [];
  let line = 0;
  for await (const text of inputLines(file, standardInput)) {
    const trimmed = (line++ === 0 ? withoutMark(text) : text).trim();
    // The number of a page is the number of its line: an empty one cannot be passed over.
    if (trimmed === '') throw badLine(file, line, 'it is empty.', NODE_FORM);
    const { url, title } = trimmed.startsWith('{') ? pageIn(trimmed, file, line) : pageOf(trimmed);
    urls.push(url);
    texts.push(title);
  }
  return { urls, texts };
}

function pageOf(text: string): { url: string; title: string } {
  const [url, title = ''] = text.split('\t', 2);
  return { url, title };
}

function pageIn(text: string, file: string, line: number): { url: string; title: string } {
  let value: { url?: unknown; title?: unknown };
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw badLine(file, line, `no JSON: ${(cause as Error).message}`, NODE_FORM);
  }
  const { url, title } = value;
  if (typeof url !== 'string' || url === '') throw badLine(file, line, '"url" is no text.', NODE_FORM);
  return { url, title: typeof title === 'string' ? title : '' };
}

/** Numbers of pages; a text says what is wrong with a name. */
interface PageNames {
  find(name: string): number | string;
  urls(): readonly string[];
}

class KnownNames implements PageNames {
  readonly #urls: readonly string[];
  readonly #file: string;
  #byUrl: Map<string, number> | undefined;

  constructor(urls: readonly string[], file: string) {
    this.#urls = urls;
    this.#file = file;
  }

  find(name: string): number | string {
    if (isNumber(name)) {
      const number = Number(name);
      if (number < this.#urls.length) return number;
      return `page ${name}, but ${this.#file} names the pages 0 to ${this.#urls.length - 1} only.`;
    }
    this.#byUrl ??= new Map(this.#urls.map((url, at) => [url, at]));
    return this.#byUrl.get(name) ?? `${JSON.stringify(name)} is not among the pages in ${this.#file}.`;
  }

  urls(): readonly string[] {
    return this.#urls;
  }
}

class NamesAsMet implements PageNames {
  readonly #byUrl = new Map<string, number>();
  #numbered = 0;

  find(name: string): number | string {
    if (isNumber(name)) {
      if (this.#byUrl.size > 0) return 'a number, but the lines before have URLs.';
      const number = Number(name);
      this.#numbered = Math.max(this.#numbered, number + 1);
      return number < 0x7fffffff ? number : `page ${name} is beyond all numbers that can be kept.`;
    }
    if (this.#numbered > 0) return `${JSON.stringify(name)} is no number, but the lines before have numbers.`;
    const known = this.#byUrl.get(name);
    if (known !== undefined) return known;
    this.#byUrl.set(name, this.#byUrl.size);
    return this.#byUrl.size - 1;
  }

  urls(): readonly string[] {
    if (this.#byUrl.size > 0) return [...this.#byUrl.keys()];
    return Array.from({ length: this.#numbered }, (_, page) => `http://graph.test/${page}`);
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}
