import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { callProgram } from '../../../called-program.ts';
import { crawlAnyHosts, pageOf, textOf } from '../../../crawl/any-host-web.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

describe('orbweaver urls', () => {
  test('adds lists, looks URLs up, lists them by host and domain, tells what they take', async () => {
    using folder = temporaryFolder();
    const store = join(folder.path, 'store');
    const list = join(folder.path, 'list');
    writeFileSync(
      list,
      '# pages\nhttps://b.test/2\nhttps://a.b.test/\nhttps://b.test/1#part\nhttps://b.test/1\nno URL\n',
    );
    const first = await callProgram(['urls', 'add', store, list, '--json']);
    assert.equal(first.status, 0, first.stderr);
    assert.match(first.stderr, /1 lines hold no URL/);
    assert.deepEqual(JSON.parse(first.stdout), { folder: store, given: 4, added: 3, urls: 3 });
    const second = await callProgram(['urls', 'add', store], { input: 'https://b.test/2\nhttps://c.test/\n' });
    assert.match(second.stdout, /1 of 2 URLs are new; .* has 4\./);

    const all = await callProgram(['urls', 'list', store]);
    assert.deepEqual(all.stdout, 'https://b.test/1\nhttps://b.test/2\nhttps://a.b.test/\nhttps://c.test/\n');
    const ofHost = await callProgram(['urls', 'list', store, '--host', 'b.test', '--limit', '1']);
    assert.equal(ofHost.stdout, 'https://b.test/1\n');
    const ofDomain = await callProgram(['urls', 'list', store, '--domain', 'b.test']);
    assert.equal(ofDomain.stdout.split('\n').length, 4);
    const ofPrefix = await callProgram(['urls', 'list', store, '--prefix', 'https://c.test/']);
    assert.equal(ofPrefix.stdout, 'https://c.test/\n');

    const known = await callProgram(['urls', 'has', store, 'HTTPS://B.test/1']);
    assert.deepEqual([known.status, known.stdout], [0, 'known\thttps://b.test/1\n']);
    const some = await callProgram(['urls', 'has', store], { input: 'https://b.test/1\nhttps://b.test/3\n\nx\n' });
    assert.deepEqual([some.status, some.stdout], [5, 'known\thttps://b.test/1\nnew\thttps://b.test/3\n']);

    const compact = await callProgram(['urls', 'compact', store]);
    assert.match(compact.stdout, /4 URLs.*in 1 file/s);
    const info = await callProgram(['urls', 'info', store, '--check', '--json']);
    const { urls, runs, textBytes } = JSON.parse(info.stdout);
    assert.deepEqual([urls, runs, textBytes], [4, 1, 17 + 17 + 18 + 16]);
    assert.match((await callProgram(['urls', 'info', store, '--check'])).stdout, /as it was written/);
  });

  test('compares crawls, lists and stores; coverage takes stores, too', async () => {
    using folder = temporaryFolder();
    const [crawl, store, list] = ['crawl', 'store', 'list'].map((name) => join(folder.path, name));
    const web = ({ href, pathname }: URL) =>
      pathname === '/robots.txt' ? undefined : pageOf(href, textOf(href), ['/a', '/b']);
    await crawlAnyHosts(web, crawl, ['http://site.test/'], { www: 'strip' });
    writeFileSync(list, 'http://www.site.test/a\nhttp://site.test/c\n');
    const counted = await callProgram(['urls', 'compare', list, crawl, '--json']);
    assert.equal(counted.status, 0, counted.stderr);
    const { first, second, both } = JSON.parse(counted.stdout);
    assert.deepEqual([first, second, both], [1, 2, 1]);
    const missing = await callProgram(['urls', 'compare', crawl, list, '--only', 'second']);
    assert.equal(missing.stdout, 'http://site.test/c\n');

    await callProgram(['urls', 'add', store, crawl, '--held']);
    const covered = await callProgram(['coverage', '--urls', list, '--with', store, '--json']);
    assert.deepEqual(JSON.parse(covered.stdout).second, 3);
    const same = await callProgram(['coverage', '--dir', crawl, '--with', store, '--json']);
    assert.equal(JSON.parse(same.stdout).both, 3);
  });

  test('says what is wrong, and leaves the store as it was', async () => {
    using folder = temporaryFolder();
    const store = join(folder.path, 'store');
    const list = join(folder.path, 'list');
    writeFileSync(list, 'https://a.test/\n');
    const missing = await callProgram(['urls', 'add', store, list, join(folder.path, 'none')]);
    assert.deepEqual([missing.status, readdirSync(store)], [2, ['urls.lock']]);
    assert.match(missing.stderr, /INPUT_INVALID/);
    for (const command of ['list', 'info', 'has', 'compact']) {
      const none = await callProgram(['urls', command, store, ...(command === 'has' ? ['https://a.test/'] : [])]);
      assert.match(none.stderr, /INPUT_INVALID.*no store of URLs/s);
    }
    await callProgram(['urls', 'add', store, list]);
    const both = await callProgram(['urls', 'list', store, '--host', 'a.test', '--domain', 'a.test']);
    assert.match(both.stderr, /USAGE.*exclude/s);
    const prefix = await callProgram(['urls', 'list', store, '--prefix', 'a.test']);
    assert.match(prefix.stderr, /USAGE.*--prefix/s);
    const twice = await callProgram(['urls', 'compare', '-', '-']);
    assert.match(twice.stderr, /USAGE.*once only/s);
    const [run] = readdirSync(store).filter((name) => name.endsWith('.urls'));
    writeFileSync(join(store, run), 'x');
    const damaged = await callProgram(['urls', 'info', store]);
    assert.equal(damaged.status, 3);
    assert.match(damaged.stderr, /URLS_DAMAGED.*backup/s);
  });
});
