import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

test('a list is compared with a crawl by the URL settings of the crawl', async () => {
  using folders = temporaryFolder();
  const crawl = join(folders.path, 'crawl');
  const list = join(folders.path, 'list');
  const web = ({ href, pathname }: URL) =>
    pathname === '/robots.txt' ? undefined : pageOf(href, textOf(href), ['/a', '/b']);
  await crawlAnyHosts(web, crawl, ['http://site.test/'], { www: 'strip' });
  writeFileSync(list, '# pages\nhttp://www.site.test/a\nhttp://site.test/b\nhttp://www.site.test/c\nnot a URL\n');
  for (const asked of [
    ['--dir', crawl, '--with', list],
    ['--urls', list, '--with', crawl],
  ]) {
    const { status, stdout, stderr } = await callProgram(['coverage', ...asked, '--json']);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /1 lines hold no URL/);
    const { first, second, both } = JSON.parse(stdout);
    assert.deepEqual([first, second, both], [3, 3, 2]);
  }
});
