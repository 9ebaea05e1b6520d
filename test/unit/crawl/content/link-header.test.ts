import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { followedLinks, parseLinkHeaders } from '../../../../src/crawl/content/link-header.ts';

describe('Link header fields', () => {
  test('several links in several fields, with parameters of all kinds', () => {
    const fields = [
      '</page/2>; rel="next"; title="The \\"second\\", at last", <https://a.test/x,y;z>; REL=Canonical',
      ' <feed.xml> ; rel = "alternate  feed" ; type="application/atom+xml"',
    ];
    assert.deepEqual(parseLinkHeaders(fields), [
      { target: '/page/2', rel: 'next', title: 'The "second", at last' },
      { target: 'https://a.test/x,y;z', rel: 'canonical' },
      { target: 'feed.xml', rel: 'alternate feed', type: 'application/atom+xml' },
    ]);
  });

  test('what says nothing of this document, or is broken, is left out', () => {
    const fields = ['</a>', '</b>; rel=""', '</c>; rel=next; anchor="/other"', '<d; rel=next', '', 'rel=next'];
    assert.deepEqual(parseLinkHeaders(fields), []);
    assert.deepEqual(parseLinkHeaders(['</a>; rel=next; rel=prev']), [{ target: '/a', rel: 'next' }]);
    assert.equal(parseLinkHeaders([`${'</a>; rel=next, '.repeat(900)}`]).length, 50);
  });

  test('they are followed like <link>: documents, parts of the page where they are wanted, no hints', () => {
    const links = parseLinkHeaders([
      '</n>; rel="next nofollow", </s.css>; rel=stylesheet, <//cdn.test>; rel=preconnect, <mailto:a@a.test>; rel=author',
    ]);
    const resolve = (reference: string): string | undefined => {
      const url = new URL(reference, 'http://a.test/');
      return url.protocol === 'http:' ? url.href : undefined;
    };
    const found = (resources: boolean) =>
      followedLinks(links, resolve, resources).map(({ url, kind, nofollow }) => [url, kind, nofollow]);
    assert.deepEqual(found(false), [['http://a.test/n', 'link', true]]);
    assert.deepEqual(found(true), [
      ['http://a.test/n', 'link', true],
      ['http://a.test/s.css', 'style', false],
    ]);
  });
});
