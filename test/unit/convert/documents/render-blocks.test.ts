import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { DocumentBlock } from '../../../../src/contracts/content/document.ts';
import { renderMarkdown, renderText } from '../../../../src/convert/documents/render-blocks.ts';
import { converted, short } from './office-files.ts';

const BLOCKS: readonly DocumentBlock[] = [
  { kind: 'heading', level: 2, text: 'A <b> & *c*' },
  { kind: 'paragraph', text: '# no heading\n1. no item' },
  { kind: 'item', text: 'one' },
  { kind: 'item', text: 'two' },
  { kind: 'table', rows: [['a', 'b'], ['c|d'], ['1', '2', '3']] },
  { kind: 'code', text: 'x = ```1```;' },
];

describe('renderText', () => {
  test('blocks', () => {
    assert.equal(
      renderText(BLOCKS),
      'A <b> & *c*\n\n# no heading\n1. no item\n\none\ntwo\n\na\tb\nc|d\n1\t2\t3\n\nx = ```1```;',
    );
  });
});

describe('renderMarkdown', () => {
  test('blocks', () => {
    assert.equal(
      renderMarkdown(BLOCKS),
      '## A \\<b\\> & \\*c\\*\n\n\\# no heading\n1\\. no item\n\n- one\n- two\n\n| a | b |  |\n| --- | --- | --- |\n| c\\|d |  |  |\n| 1 | 2 | 3 |\n\n````\nx = ```1```;\n````',
    );
  });

  test('links stand where their texts do, the others in a list at the end', () => {
    const blocks: DocumentBlock[] = [
      { kind: 'paragraph', text: 'See the *guide* and the guide again.' },
      {
        kind: 'table',
        rows: [
          ['name', 'home'],
          ['x', 'a|b site'],
        ],
      },
    ];
    const links = [
      { url: 'https://a.test/g (1)', text: '*guide*' },
      { url: 'https://a.test/none', text: 'nowhere' },
      { url: 'https://a.test/2', text: 'guide' },
      { url: 'https://a.test/site', text: 'a|b' },
      { url: 'https://a.test/bare_1', text: '' },
    ];
    assert.equal(
      renderMarkdown(blocks, links),
      'See the [\\*guide\\*](https://a.test/g%20%281%29) and the [guide](https://a.test/2) again.\n\n' +
        '| name | home |\n| --- | --- |\n| x | [a\\|b](https://a.test/site) site |\n\n' +
        '- [nowhere](https://a.test/none)\n- [https://a.test/bare\\_1](https://a.test/bare_1)',
    );
  });

  test('read again, words are the same', async () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9*_`#<>[\]|\\.!+-]{1,8}$/);
    const words = fc.array(word, { minLength: 1, maxLength: 5 }).map((list) => `w${list.join(' ')}w`);
    await fc.assert(
      fc.asyncProperty(words, words, async (heading, paragraph) => {
        const blocks: DocumentBlock[] = [
          { kind: 'heading', level: 1, text: heading },
          { kind: 'paragraph', text: paragraph },
        ];
        const { blocks: again } = await converted(renderMarkdown(blocks), 'text/markdown');
        assert.deepEqual(
          short(again).map((line) => line.replace(/[*_~]/g, '')),
          short(blocks).map((line) => line.replace(/[*_~]/g, '')),
        );
      }),
      { numRuns: 100 },
    );
  });
});
