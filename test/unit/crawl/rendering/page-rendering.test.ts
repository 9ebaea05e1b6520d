import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import { PageRendering, type PageRenderingParts } from '../../../../src/crawl/rendering/page-rendering.ts';
import type { ReadAnswer } from '../../../../src/crawl/visit/page-content.ts';

test('a local page is never shown in a browser: its scripts could send it anywhere', async () => {
  const asked: string[] = [];
  const body = Buffer.from('<!doctype html><div id=app></div><script src=app.js></script>');
  const document = {
    answer: { body, head: { status: 200, rawHeaders: [] }, exchange: { address: '192.0.2.1' } },
    read: { html: { page: {}, mediaType: 'text/html', text: '' } },
  } as unknown as ReadAnswer;
  const service = {
    fail: () => {},
    render: async ({ url }: { readonly url: string }) => {
      asked.push(url);
      return { kind: 'failed', code: 'no-browser', detail: '' };
    },
  };
  const rendering = new PageRendering({ mode: 'always', service, retryMs: 0 } as unknown as PageRenderingParts);
  const claimOf = (url: string) => ({ task: { url, discovery: { how: 'seed' } }, tries: 0 }) as unknown as Claim;
  for (const url of ['file:///home/anna/diary.html', 'http://a.test/'])
    assert.equal(await rendering.show(claimOf(url), document), document);
  assert.deepEqual(asked, ['http://a.test/']);
});
