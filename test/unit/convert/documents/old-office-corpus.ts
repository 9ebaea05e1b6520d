import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversion, ConvertedDocument } from '../../../../src/contracts/content/document.ts';
import { corpus } from '../../../corpora.ts';

/** A document of the data set and what is known of its text. */
export interface ExpectedDocument {
  readonly file: string;
  readonly type: string;
  readonly contains: readonly { readonly text: string; readonly confirmed: boolean }[];
  readonly not_contains: readonly string[];
}

/** The documents of one type; none without the data set. */
export function expectedDocuments(type: string): ExpectedDocument[] {
  const folder = corpus('documents');
  if (folder === undefined) return [];
  const lines = readFileSync(join(folder, 'expected.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ExpectedDocument).filter((expected) => expected.type === type);
}

export function corpusDocument(file: string): Uint8Array {
  return readFileSync(join(corpus('documents') ?? '', 'files', file));
}

/** Confirmed facts that a conversion does not show, and texts that it must not show. */
export function wrongFacts(expected: ExpectedDocument, conversion: Conversion): string[] {
  const text = conversion.kind === 'converted' ? squeezed(allText(conversion.document)) : '';
  const missing = expected.contains.filter((fact) => fact.confirmed && !text.includes(squeezed(fact.text)));
  const unwanted = expected.not_contains.filter((fact) => text.includes(squeezed(fact)));
  return [...missing.map((fact) => `missing: ${fact.text}`), ...unwanted.map((fact) => `unwanted: ${fact}`)];
}

/** All that a document says, a line for each block or row. */
export function allText(document: ConvertedDocument): string {
  const facts = [document.title, ...document.authors, document.description, ...(document.keywords ?? [])];
  const blocks = document.blocks.map((block) =>
    block.kind === 'table' ? block.rows.map((row) => row.join('\t')).join('\n') : block.text,
  );
  return [...facts.filter((fact) => fact !== undefined), ...blocks].join('\n');
}

function squeezed(text: string): string {
  return text.replace(/[\s\u00a0]+/g, '');
}
