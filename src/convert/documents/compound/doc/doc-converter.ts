import type { Conversion, ConversionLimits } from '../../../../contracts/content/document.ts';
import { ConversionBudget } from '../../conversion-budget.ts';
import { DocumentBuilder } from '../../document-builder.ts';
import { ByteReader } from '../byte-reader.ts';
import { summaryOf } from '../cfb-properties.ts';
import { CompoundFile } from '../cfb-reader.ts';
import { CodePages } from '../code-page.ts';
import { readFib } from './doc-fib.ts';
import { DocLists } from './doc-lists.ts';
import { readPieces } from './doc-pieces.ts';
import { DocPropertyPages } from './doc-properties.ts';
import { DocStyles } from './doc-styles.ts';
import { DocText } from './doc-text.ts';

/** Word documents of the binary format, Word 6 to 2003. */
export function convertDoc(bytes: Uint8Array, limits: ConversionLimits): Conversion {
  const file = CompoundFile.open(bytes);
  if (file === undefined) return { kind: 'unreadable', why: 'broken', detail: 'not a compound file' };
  if (file.has('EncryptedPackage')) return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  const main = file.stream('WordDocument');
  if (main === undefined) return { kind: 'unreadable', why: 'broken', detail: 'no stream WordDocument' };
  const stream = new ByteReader(main);
  const fib = readFib(stream);
  if (fib === undefined) return { kind: 'unreadable', why: 'unsupported', detail: 'a version older than Word 6' };
  if (fib.isEncrypted) return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  const table = new ByteReader(fib.isOld ? main : (file.stream(fib.tableStream) ?? new Uint8Array(0)));
  const document = new DocumentBuilder(new ConversionBudget(limits));
  Object.assign(document.facts, summaryOf(file));
  const text = new DocText(document, {
    fib,
    stream,
    pieces: readPieces(fib, table),
    characters: new DocPropertyPages(stream, table, fib.characterPages, 'characters'),
    paragraphs: new DocPropertyPages(stream, table, fib.paragraphPages, 'paragraphs'),
    styles: new DocStyles(table, fib.styles),
    lists: new DocLists(table, fib.lists, fib.listOverrides),
    codePages: new CodePages(),
  });
  text.read();
  return document.finish();
}
