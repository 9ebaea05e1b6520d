import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DemoWeb, startDemoWeb } from '../../../../src/simulate/demo/demo-web.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import { bruteForceCrawl } from '../brute-force-crawl.ts';

describe('DemoWeb', () => {
  const web = new DemoWeb(8790);
  const known = truth(web, { seeds: [web.url(0)] });

  test('is what a brute-force crawl of its bytes finds', () => {
    const found = bruteForceCrawl(web, [web.url(0)], 'orbweaver');
    for (const fate of ['stored', 'redirected', 'failed', 'disallowed'] as const) {
      assert.deepEqual(known.urls(fate).sort(), [...found[fate]].sort(), fate);
    }
  });

  test('has something of everything to show', () => {
    const counts = known.counts();
    assert.ok(counts.stored >= 120 && counts.stored <= 180, `${counts.stored} pages`);
    assert.ok(counts.redirected >= 3 && counts.failed >= 3 && counts.disallowed >= 3);
    assert.ok(counts.distinctDocuments < counts.stored);
    assert.equal(web.hosts.count, 5);
    assert.ok(
      known.urls('unreached').every((url) => url.includes('/readers/')),
      'only nofollow hides pages',
    );
    for (let host = 0; host < web.hosts.count; host++) {
      const { body } = web.reply(host, web.locate(host, '/robots.txt'));
      assert.match(body, /Disallow: \/\S+\n/);
      assert.match(body, /Crawl-delay: 0\.1\n/);
    }
  });

  test('leaves no placeholder in its pages', () => {
    for (const page of known.pages('stored')) {
      const { body } = web.reply(web.hostOfPage(page), { kind: 'page', id: page });
      assert.doesNotMatch(body, /href="@|\]\(|undefined|\[object/);
      assert.match(body, /<title>[^<]+<\/title>/);
    }
  });

  test('is served at the same address again after a restart', async () => {
    const first = await startDemoWeb({ port: 0 });
    const { port, origins } = first;
    await first.close();
    const second = await startDemoWeb({ port });
    assert.deepEqual(second.origins, origins);
    assert.equal(second.hostsMap()['spiders.demo.test'], '127.0.0.1');
    const third = await startDemoWeb({ port });
    assert.notEqual(third.port, port);
    await Promise.all([second.close(), third.close()]);
  });
});
