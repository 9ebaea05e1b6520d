import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { callProgram, type Ended } from '../../../called-program.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

describe('links and rank', () => {
  const folder = temporaryFolder();
  const page = (url: string, ...links: [string, string, boolean?][]) => ({
    url,
    host: new URL(url).host,
    at: Date.UTC(2026, 0, 2),
    links: links.map(([target, text, nofollow = false]) => ({ url: target, text, nofollow })),
  });

  let inLinks: Ended;
  let limited: Ended;
  let outLinks: Ended;
  let unknown: Ended;
  let ranks: Ended;
  let table: Ended;

  before(async () => {
    openState(folder.path).close();
    using store = new SqliteLinkStore(folder.path);
    store.addPage(page('https://a.test/', ['https://b.test/', 'The \u001b[31mB page'], ['https://a.test/x', 'More']));
    store.addPage(page('https://a.test/x', ['https://a.test/', 'Home'], ['https://b.test/', 'B', true]));
    store.addPage(page('https://b.test/'));
    await store.commit();
    const dir = ['--dir', folder.path];
    [inLinks, limited, outLinks, unknown, ranks, table] = await Promise.all(
      [
        ['links', 'b.test', ...dir],
        ['links', 'https://b.test/', ...dir, '--json', '--limit', '1'],
        ['links', 'https://a.test/', ...dir, '--out', '--json'],
        ['links', 'https://nowhere.test/', ...dir],
        ['rank', ...dir, '--json', '--limit', '2'],
        ['rank', ...dir],
      ].map((args) => callProgram(args)),
    );
  });

  after(() => folder[Symbol.dispose]());

  test('in-links with their texts and the ranks', () => {
    const { status, stdout } = inLinks;
    assert.equal(status, 0);
    assert.match(stdout, /^https:\/\/b\.test\/\n/);
    assert.match(stdout, /PageRank +0\.\d+, .* of 3 pages/);
    assert.match(stdout, /host rank +0\.\d+, .* place 1 of 2 hosts/);
    assert.match(stdout, /https:\/\/a\.test\/ {2}"The {1,2}\[31mB page" {2}\(seen 2026-01-02 00:00\)\n/);
    assert.match(stdout, /https:\/\/a\.test\/x {2}"B" {2}\(nofollow, seen 2026-01-02 00:00\)/);
    assert.doesNotMatch(stdout, /\u001b/, 'words of strangers do not steer the terminal');
  });

  test('as JSON, with a limit', () => {
    const found = JSON.parse(limited.stdout);
    assert.equal(found.inLinks.length, 1);
    assert.equal(found.more, true);
    assert.deepEqual(
      found.anchors.map(({ weight }: { weight: number }) => weight),
      [1, 0.1],
    );
  });

  test('what a page links to', () => {
    const found = JSON.parse(outLinks.stdout);
    assert.equal(found.total, 2);
    assert.equal(found.links[1].url, 'https://a.test/x');
  });

  test('a page that nobody knows', () => {
    assert.equal(unknown.status, 5);
    assert.equal(unknown.stdout, '');
  });

  test('the top lists', () => {
    const json = JSON.parse(ranks.stdout);
    assert.equal(json.pages, 3);
    // The link that is marked nofollow is no vote.
    assert.equal(json.links, 3);
    for (const list of [json.pageRank, json.hostRank, json.authorities, json.hubs]) assert.equal(list.length, 2);
    assert.equal(json.hostRank[0].name, 'b.test');
    assert.match(table.stdout, /3 links between 3 pages\n\nPageRank\n +1 {2}0\.\d{8} {2}https:/);
  });
});
