import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Link } from '../../../../src/contracts/content/page.ts';
import { discoverFeeds } from '../../../../src/extract/feed/discover-feeds.ts';

function link(rel: string, type: string | undefined, url: string, title?: string, kind: Link['kind'] = 'link'): Link {
  return { url, kind, text: '', rel, nofollow: false, ugc: false, sponsored: false, type, title };
}

describe('discoverFeeds', () => {
  test('takes alternates of feed types, each once, in order', () => {
    const found = discoverFeeds([
      link('stylesheet', 'text/css', 'https://e/x.css'),
      link('alternate', 'application/rss+xml', 'https://e/rss', 'News'),
      link('alternate', 'Application/Atom+XML; charset=utf-8', 'https://e/atom'),
      link('alternate', 'application/rss+xml', 'https://e/rss', 'Again'),
      link('alternate', 'application/feed+json', 'https://e/feed.json'),
      link('feed', undefined, 'https://e/feed'),
    ]);
    assert.deepEqual(found, [
      { url: 'https://e/rss', type: 'application/rss+xml', title: 'News' },
      { url: 'https://e/atom', type: 'application/atom+xml' },
      { url: 'https://e/feed.json', type: 'application/feed+json' },
      { url: 'https://e/feed', type: '' },
    ]);
  });

  test('vague types need a word for them; other links are none', () => {
    const found = discoverFeeds([
      link('alternate', 'text/xml', 'https://e/rss.xml'),
      link('alternate', 'application/xml', 'https://e/data', 'Our feed'),
      link('alternate', 'application/json', 'https://e/wp-json/wp/v2/pages/2', 'JSON'),
      link('alternate stylesheet', 'application/rss+xml', 'https://e/s'),
      link('alternate', undefined, 'https://e/de'),
      link('alternate', 'application/rss+xml', 'https://e/a', undefined, 'a'),
    ]);
    assert.deepEqual(
      found.map((feed) => feed.url),
      ['https://e/rss.xml', 'https://e/data'],
    );
  });
});
