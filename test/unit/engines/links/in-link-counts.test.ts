import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import { countInLinks, openLinks } from '../../../../src/engines/open-links.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const HOST = 'site.test';
const url = (path: string): string => `http://${HOST}${path}`;

function counted(folder: string, leftOut: readonly string[] = []): Record<string, string> {
  const key = (path: string): string => `${fingerprint(url(path)) >> 32n} ${fingerprint(url(path)) & 0xffffffffn}`;
  const out = new Set(leftOut.map(key));
  const sums = new Map<string, { links: number; others: number }>();
  for (const { hi, lo, links, fromOthers } of countInLinks(folder, (a, b) => out.has(`${a} ${b}`))) {
    const sum = sums.get(`${hi} ${lo}`) ?? { links: 0, others: 0 };
    sums.set(`${hi} ${lo}`, { links: sum.links + links, others: sum.others + fromOthers });
  }
  return Object.fromEntries(
    ['/', '/a', '/b', '/out'].map((path) => {
      const { links, others } = sums.get(key(path)) ?? { links: 0, others: 0 };
      return [path, `${links}/${others}`];
    }),
  );
}

test('links to each page are counted, a text once for each page: over commits, without replaced visits, those of the page itself apart', async () => {
  using folder = temporaryFolder();
  using store = openLinks(folder.path);
  const visit = (path: string, at: number, ...to: string[]): void =>
    store.addPage({
      ...{ url: url(path), host: HOST, at },
      links: to.map((target) => ({ url: url(target), text: 'x', nofollow: target === '/out' })),
    });
  visit('/', 1, '/a', '/a', '/', '/out');
  await store.commit();
  visit('/a', 2, '/', '/b', '/a');
  visit('/b', 3, '/a');
  await store.commit();
  assert.deepEqual(counted(folder.path), { '/': '2/1', '/a': '3/2', '/b': '1/1', '/out': '1/1' });
  assert.deepEqual(counted(folder.path, ['/b', '/']), { '/': '1/1', '/a': '1/0', '/b': '1/1', '/out': '0/0' });
  // The front page is visited again and links elsewhere: what it said before does not count.
  visit('/', 4, '/b');
  await store.commit();
  assert.deepEqual(counted(folder.path), { '/': '1/1', '/a': '2/1', '/b': '2/2', '/out': '0/0' });
  await store.compact();
  assert.deepEqual(counted(folder.path), { '/': '1/1', '/a': '2/1', '/b': '2/2', '/out': '0/0' });
});
