import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Conversion } from '../../../../src/contracts/content/document.ts';
import { convertDocument } from '../../../../src/convert/documents/convert-document.ts';
import { renderText } from '../../../../src/convert/documents/render-blocks.ts';
import { mediaTypeOf } from '../../../../src/convert/media-type.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

interface Expected {
  readonly file: string;
  readonly type: string;
  readonly contains: readonly { readonly text: string; readonly confirmed: boolean }[];
  readonly not_contains: readonly string[];
}

const KINDS = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp']);

/** Facts are compared white space aside. */
const bare = (text: string): string => text.replace(/\s+/g, '');

function everythingIn(conversion: Conversion): string {
  if (conversion.kind === 'unreadable') return '';
  const { title, authors, description, keywords, blocks } = conversion.document;
  return bare([title, ...authors, description, ...(keywords ?? []), renderText(blocks)].join('\n'));
}

describe('Documents with known contents', { skip: skipWithout('documents') }, () => {
  const folder = corpus('documents') ?? '';
  const all = (): Expected[] =>
    readFileSync(join(folder, 'expected.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Expected)
      .filter(({ type }) => KINDS.has(type));

  test('every confirmed fact is found, under the right type and without one', async () => {
    const missing: string[] = [];
    for (const { file, contains, not_contains } of all()) {
      const bytes = readFileSync(join(folder, 'files', file));
      const { type } = mediaTypeOf(undefined, bytes, `http://host.test/${file}`);
      for (const mediaType of [type, 'application/octet-stream']) {
        const said = everythingIn(await convertDocument(bytes, { mediaType }));
        for (const { text, confirmed } of contains)
          if (confirmed && !said.includes(bare(text))) missing.push(`${file}: ${text}`);
        for (const text of not_contains) if (said.includes(bare(text))) missing.push(`${file}: not ${text}`);
      }
    }
    assert.deepEqual(missing, []);
  });

  test('files cut in half end in a clear outcome', async () => {
    for (const { file } of all()) {
      const bytes = readFileSync(join(folder, 'files', file));
      const conversion = await convertDocument(bytes.subarray(0, bytes.length >> 1), {
        mediaType: mediaTypeOf(undefined, bytes, `http://host.test/${file}`).type,
      });
      assert.ok(conversion.kind === 'converted' || conversion.detail !== '', file);
    }
  });

  test('a workbook under lock', async () => {
    const conversion = await convertDocument(readFileSync(join(folder, 'files', 'protect.xlsx')));
    assert.equal(conversion.kind === 'unreadable' && conversion.why, 'encrypted');
  });
});
