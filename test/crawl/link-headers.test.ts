import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlReader } from '../../src/index.ts';
import { crawlAnyHosts, type HostAnswer } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

test('links of Link header fields are followed, of pages and of other documents, and name the canonical address', async () => {
  using folder = temporaryFolder();
  const html = (body: string, link?: string): HostAnswer => ({
    body,
    headers: { 'content-type': 'text/html', ...(link === undefined ? {} : { link }) },
  });
  const web = ({ pathname }: URL): HostAnswer | undefined => {
    switch (pathname) {
      case '/':
        return html(
          '<title>1</title>',
          '</two>; rel="next", </closed>; rel="next nofollow", <https://b.test/>; rel=preconnect',
        );
      case '/two':
        return html('<title>2</title><a href=/list.txt>list</a>', '</whole>; rel="canonical"');
      case '/list.txt':
        return { body: 'a list', headers: { 'content-type': 'text/plain', link: '</list2.txt>; rel=next' } };
      case '/list2.txt':
        return { body: 'more of it', headers: { 'content-type': 'text/plain' } };
      case '/whole':
        return html('<title>All</title>');
      default:
        return undefined;
    }
  };
  const { asked } = await crawlAnyHosts(web, folder.path, ['http://a.test/'], { scope: 'host', sitemaps: 'off' });
  const paths = asked.map((url) => new URL(url).pathname).filter((path) => /^\/(?:$|two|whole|list|closed)/.test(path));
  assert.deepEqual([...new Set(paths)].sort(), ['/', '/list.txt', '/list2.txt', '/two', '/whole']);
  using reader = new CrawlReader(folder.path);
  assert.equal((await reader.explain('http://a.test/two')).page?.facts?.canonical, 'http://a.test/whole');
  assert.equal((await reader.explain('http://a.test/whole')).page?.discovery.how, 'canonical');
});
