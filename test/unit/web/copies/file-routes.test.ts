import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LocalFile } from '../../../../src/crawl/files/local-file-reader.ts';
import { FileRoutes } from '../../../../src/web/copies/file-routes.ts';
import type { WebRequest } from '../../../../src/web/http/web-request.ts';

const FILES: Readonly<Record<string, LocalFile>> = {
  'file:///d/a.ts': { mediaType: 'text/plain', body: Buffer.from('<script>alert(1)</script>') },
  'file:///d/p.html': { mediaType: 'text/html', body: Buffer.from('<script>alert(1)</script>') },
  'file:///d/data.json': { mediaType: 'application/json', body: Buffer.from('{}') },
  'file:///d/x%22y.docx': { mediaType: 'application/vnd.openxmlformats', body: Buffer.from('PK') },
  'file:///d/m.pdf': { mediaType: 'application/pdf', body: Buffer.from('%PDF-') },
};

async function answer(url: string, headers: WebRequest['headers'] = {}, isOpen = true) {
  const files = { read: async (asked: string) => FILES[asked] };
  const ask = { path: '/file', parameters: new URLSearchParams({ url }), headers } as WebRequest;
  return await new FileRoutes(isOpen ? files : undefined, 'test').file(ask);
}

describe('Files over HTTP', () => {
  test('text is shown as text, pages in a sandbox, and other documents are saved', async () => {
    for (const [url, type, disposition, policy] of [
      ['file:///d/a.ts', 'text/plain', 'inline; filename="a.ts"', /sandbox/],
      ['file:///d/p.html', 'text/html', 'inline; filename="p.html"', /default-src 'none'.*sandbox$/],
      ['file:///d/data.json', 'text/plain', 'inline; filename="data.json"', /sandbox/],
      ['file:///d/x%22y.docx', 'application/octet-stream', 'attachment; filename="x_22y.docx"', /sandbox/],
      ['file:///d/m.pdf', 'application/pdf', 'inline; filename="m.pdf"', /default-src 'none'/],
    ] as const) {
      const { status, headers = {} } = await answer(url);
      assert.equal(status, 200);
      assert.equal(headers['content-type'], type, url);
      assert.equal(headers['content-disposition'], disposition);
      assert.match(String(headers['content-security-policy']), policy);
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  test('what the crawl does not hold is not shown, nor anything where others can ask', async () => {
    assert.equal((await answer('file:///etc/passwd')).status, 404);
    assert.equal((await answer('file:///d/a.ts', {}, false)).status, 403);
    assert.equal((await answer('file:///d/a.ts', { 'x-forwarded-for': '203.0.113.1' })).status, 403);
    await assert.rejects(answer('ftp://d/a.ts'), /not an address/);
    await assert.rejects(answer('file://server/a.ts'), /not an address/);
  });
});
