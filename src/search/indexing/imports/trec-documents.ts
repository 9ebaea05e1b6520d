import { OrbweaverError } from '../../../base/errors.ts';
import { decodeReferences } from '../../../extract/character-references.ts';
import type { ImportedDocument } from './document-block.ts';

/** A document this long was not ended: its end tag is missing. */
const LONGEST = 64 * 2 ** 20;
const NUMBER = /<DOCNO>\s*([\s\S]*?)\s*<\/DOCNO>/i;
const TITLE = /<(TITLE|HEADLINE|TI|HEAD|H3)>([\s\S]*?)<\/\1>/gi;
/** Numbers and marks of the collection, no words of the document. */
const APPARATUS = /<(DOCNO|DOCID|DOCHDR|DOCOLDNO|DOCTYPE|FILEID|FIRST|SECOND|PROFILE|PUBDATE|DOCLANG)>[\s\S]*?<\/\1>/gi;
const TAG = /<\/?[A-Za-z!][^<>]*>/g;

/** Documents from TREC's SGML: `<DOC><DOCNO>id</DOCNO> ... </DOC>`, whatever the other tags are. */
export async function* trecDocuments(lines: AsyncIterable<string>, name: string): AsyncGenerator<ImportedDocument> {
  let number = 0;
  let begun: number | undefined;
  let content: string[] = [];
  let length = 0;
  for await (const line of lines) {
    number++;
    if (begun === undefined) {
      const at = line.search(/<DOC>/i);
      if (at === -1) continue;
      begun = number;
      content = [line.slice(at + '<DOC>'.length)];
      length = 0;
    } else {
      content.push(line);
    }
    length += line.length;
    if (length > LONGEST) throw bad(name, begun, 'has no </DOC> within 64 MB');
    if (!/<\/DOC>/i.test(line)) continue;
    // Several documents may stand on one line.
    const parts = content.join('\n').split(/<\/DOC>/i);
    const rest = parts.pop() ?? '';
    for (const part of parts) yield documentOf(part.replace(/^[\s\S]*<DOC>/i, ''), name, begun);
    const again = rest.search(/<DOC>/i);
    begun = again === -1 ? undefined : number;
    content = again === -1 ? [] : [rest.slice(again + '<DOC>'.length)];
    length = rest.length;
  }
  if (begun !== undefined) throw bad(name, begun, 'has no </DOC>');
}

function documentOf(content: string, name: string, line: number): ImportedDocument {
  const id = NUMBER.exec(content)?.[1];
  if (id === undefined || id === '') throw bad(name, line, 'has no <DOCNO>');
  const titles = [...content.matchAll(TITLE)].map((match) => plain(match[2]));
  const text = plain(content.replace(APPARATUS, ' ').replace(TITLE, ' '));
  return { id, title: titles.join(' '), text };
}

function plain(markup: string): string {
  const lines = decodeReferences(markup.replace(TAG, ' '), false).split('\n');
  return lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function bad(name: string, line: number, what: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `The document that begins on line ${line} of ${name} ${what}.`, {
    remedy:
      'A document is <DOC> <DOCNO>id</DOCNO> <TEXT> ... </TEXT> </DOC>. What came before it is indexed; correct it and ' +
      'import again (documents are replaced by id).',
  });
}
