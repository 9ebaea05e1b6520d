import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startSyntheticWeb } from '../../../../src/simulate/server/web-server.ts';
import { callProgram } from '../../../called-program.ts';
import { crawlWeb, temporaryFolder } from '../../../crawl/crawl-web.ts';

/** A real crawl, of which the server keeps the log. */
describe('simulate audit', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let log: string;

  before(async () => {
    folder = temporaryFolder();
    log = join(folder.path, 'requests.jsonl');
    await using web = await startSyntheticWeb({ hosts: 3, pagesPerHost: 12, seed: 4 }, { logFile: log });
    await crawlWeb(web, join(folder.path, 'crawl'), { seeds: [web.origins[0]] });
  });
  after(() => folder[Symbol.dispose]());

  test('passes a complete and polite crawl', async () => {
    const { status, stdout } = await callProgram(['simulate', 'audit', log, '--delay', '20ms']);
    assert.match(stdout, /^Audit passed\n/);
    assert.equal(status, 0);
  });

  test('fails one that left out a page, or came too early, with exit status 1', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const page = lines.findLastIndex((line) => line.includes('"status":200') && !line.includes('robots.txt'));
    const cut = join(folder.path, 'cut.jsonl');
    writeFileSync(cut, `${lines.toSpliced(page, 1).join('\n')}\n`);
    const missed = await callProgram(['simulate', 'audit', cut, '--json']);
    assert.equal(missed.status, 1);
    assert.deepEqual(JSON.parse(missed.stdout).failures, ['missed']);
    assert.equal((await callProgram(['simulate', 'audit', cut, '--partial'])).status, 0);
    const early = await callProgram(['simulate', 'audit', log, '--delay', '1h']);
    assert.equal(early.status, 1);
    assert.match(early.stdout, /^Audit FAILED: hostGap\n/);
  });

  test('says what is wrong with its input', async () => {
    for (const [args, told] of [
      [[join(folder.path, 'none')], /none cannot be read: ENOENT/],
      [[log, '--seed', 'nowhere'], /nowhere is no page of this web/],
      [[log, '--scope', 'all'], /takes any or host/],
      [[log, '--delay', 'soon'], /--delay/],
      [[log, '--parallel', '0'], /whole number from 1/],
    ] as const) {
      const { status, stderr } = await callProgram(['simulate', 'audit', ...args]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, told);
    }
  });
});
