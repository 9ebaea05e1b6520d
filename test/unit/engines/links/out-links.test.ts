import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import type { OutLink } from '../../../../src/contracts/state/link-store.ts';
import { decodeOutLinks, eachTarget, keptText, OutLinkEncoder } from '../../../../src/engines/links/out-links.ts';
import { packAnchors } from '../../../../src/extract/index-fields.ts';

const urls = fc.oneof(
  fc.webUrl(),
  fc.tuple(fc.nat(3), fc.nat(1000)).map(([host, page]) => `https://h${host}.test/section/page-${page}`),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const linkLists: fc.Arbitrary<OutLink[]> = fc.array(
  fc.record(
    { url: urls, text: fc.string({ unit: 'binary', maxLength: 300 }).map(keptText), nofollow: fc.boolean() },
    { noNullPrototype: true },
  ),
  { maxLength: 30 },
);

describe('out-links as one value', () => {
  test('come back as they were', () => {
    const encoder = new OutLinkEncoder();
    fc.assert(
      fc.property(urls, linkLists, (page, links) => {
        const value = encoder.encode(page, links);
        assert.deepEqual(decodeOutLinks(page, value), links);
        const targets: [string, boolean][] = [];
        eachTarget(page, value, (url, nofollow) => targets.push([url, nofollow]));
        assert.deepEqual(
          targets,
          links.map(({ url, nofollow }) => [url, nofollow]),
        );
      }),
    );
  });

  test('are the same where they come as lines', () => {
    const encoder = new OutLinkEncoder();
    const plain = new OutLinkEncoder();
    const line = (text: fc.Arbitrary<string>) => text.map((made) => keptText(made.replaceAll('\n', ' ')));
    const ascii = fc.string({ unit: fc.constantFrom(...'abc XYZ 019-_()'), maxLength: 60 });
    const lists = fc.array(
      fc.record({
        url: line(fc.oneof({ weight: 9, arbitrary: fc.webUrl() }, { weight: 1, arbitrary: urls })),
        text: line(fc.oneof({ weight: 9, arbitrary: ascii }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) })),
        nofollow: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(fc.webUrl(), lists, fc.constantFrom('', '\n', 'x'), (page, links, more) => {
        const lines = packAnchors(links);
        const asLines = { ...lines, texts: lines.texts + more };
        const value = encoder.encode(page, links, asLines);
        assert.deepEqual(value, plain.encode(page, links));
        const textOf = (_: OutLink, at: number) =>
          value.toString('utf8', encoder.textPlaces[2 * at], encoder.textPlaces[2 * at + 1]);
        assert.deepEqual(
          links.map(textOf),
          links.map(({ text }) => Buffer.from(text).toString()),
        );
      }),
    );
  });

  test('take few bytes where neighbours are alike', () => {
    const links = Array.from({ length: 60 }, (_, at) => ({
      url: `https://www.example.org/a/long/path/to/page-${at}`,
      text: `Page ${at}`,
      nofollow: false,
    }));
    assert.ok(new OutLinkEncoder().encode('https://www.example.org/', links).length < 60 * 16);
  });

  test('a damaged value is told, not read for ever', () => {
    const value = new OutLinkEncoder().encode('https://a.test/', [
      { url: 'https://b.test/', text: 'B', nofollow: false },
    ]);
    for (let length = 0; length < value.length - 1; length++) {
      assert.throws(() => decodeOutLinks('https://a.test/', value.subarray(0, length)), OrbweaverError);
    }
  });

  test('long texts are cut, never within a character', () => {
    assert.equal(keptText(`  ${'a'.repeat(400)} `).length <= 256, true);
    const cut = keptText(`a${'😀'.repeat(300)}`);
    assert.ok(cut.isWellFormed());
    assert.equal(keptText(' About us '), 'About us');
  });
});
