import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { openPastLinks } from '../../../../src/engines/open-links.ts';

test('past links: the last visit of each page, each link once, without those that are no votes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-past-'));
  try {
    assert.equal(openPastLinks(folder), undefined);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `https://x.test/${name}`);
    const link = (url: string, nofollow = false) => ({ url, text: '', nofollow });
    const page = (url: string, links: ReturnType<typeof link>[]) => ({ url, host: 'x.test', at: 0, links });
    using store = new SqliteLinkStore(folder);
    store.addPage(page(a, [link(b)]));
    store.addPage(page(b, [link(a), link(a), link(c, true)]));
    await store.commit();
    store.addPage(page(a, [link(c), link(b)]));
    await store.commit();
    using past = openPastLinks(folder)!;
    assert.deepEqual([...past.pages()].sort(), [a, b].map(fingerprint).sort());
    const visits = [];
    for await (const visit of past.visits()) visits.push(visit);
    assert.deepEqual(visits, [
      { url: b, links: [a] },
      { url: a, links: [c, b] },
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
