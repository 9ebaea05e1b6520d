import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../crawl/crawl-web.ts';
import { endlessSite } from '../endless-site.ts';
import { isAlive, killProcess, RunningApp, untilGone } from '../running-app.ts';

const pagesOf = ({ facts }: { readonly facts?: { readonly pages: number } }): number => facts?.pages ?? 0;

test('a crawl outlives its app, and comes back after its own death', { timeout: 900_000 }, async () => {
  using folder = temporaryFolder();
  await using site = await endlessSite();
  let app = await RunningApp.start(folder.path);
  try {
    const draft = {
      addresses: site.url,
      scope: 'host',
      allowPrivate: 'yes',
      delay: '100ms',
      name: 'endless',
      do: 'start',
    };
    assert.equal((await app.send('/new', draft)).status, 303);
    const begun = await app.until('endless', (crawl) => pagesOf(crawl) >= 3);
    assert.equal(begun.condition, 'running');

    assert.equal((await app.send('/manage/endless/start')).status, 409, 'one crawl per folder');
    assert.equal((await app.send('/manage/endless/delete')).status, 409, 'what runs is not deleted');

    // The app dies; its crawl goes on, and the next app knows it.
    await app.end('SIGKILL');
    assert.ok(isAlive(begun.run?.pid));
    app = await RunningApp.start(folder.path);
    const adopted = await app.until('endless', (crawl) => pagesOf(crawl) > pagesOf(begun));
    assert.equal(adopted.condition, 'running');
    assert.equal(adopted.note, '');
    assert.equal(adopted.run?.pid, begun.run?.pid);

    // The crawl dies, and is started again.
    killProcess(adopted.run?.pid);
    const back = await app.until('endless', ({ run }) => run?.pid !== undefined && run.pid !== adopted.run?.pid);
    assert.equal(back.run?.restarts.length, 1);
    await app.until('endless', (crawl) => pagesOf(crawl) > pagesOf(adopted));

    // An app that ends in order takes its crawls with it; the next one goes on with them.
    await app.end('SIGTERM');
    await untilGone(back.run?.pid);
    app = await RunningApp.start(folder.path);
    const resumed = await app.until(
      'endless',
      ({ condition, run }) => condition === 'running' && run?.pid !== undefined,
    );

    await app.send('/manage/endless/stop');
    await app.until('endless', ({ condition }) => condition === 'stopped');
    await untilGone(resumed.run?.pid);

    await app.send('/manage/endless/delete');
    assert.deepEqual(await app.crawls(), []);
    const [, id] = /name="id" value="([^"]*)"/.exec(await (await fetch(`${app.url}trash`)).text()) ?? [];
    assert.equal((await app.send('/trash/restore', { id })).status, 303);
    await app.until('endless', (crawl) => pagesOf(crawl) >= pagesOf(resumed));
    await app.send('/manage/endless/delete');
    const [, other] = /name="id" value="([^"]*)"/.exec(await (await fetch(`${app.url}trash`)).text()) ?? [];
    assert.equal((await app.send('/trash/purge', { id: other, confirm: 'endles' })).status, 422);
    assert.ok(existsSync(join(folder.path, '.orbweaver', 'trash', other)));
    assert.equal((await app.send('/trash/purge', { id: other, confirm: 'endless' })).status, 303);
    assert.ok(!existsSync(join(folder.path, '.orbweaver', 'trash', other)));
  } finally {
    for (const { run } of await app.crawls().catch(() => [])) if (isAlive(run?.pid)) killProcess(run?.pid);
    await app.end('SIGKILL');
  }
});

test('a crawl that cannot begin fails with the reason, and is not tried for ever', { timeout: 900_000 }, async () => {
  using folder = temporaryFolder();
  await using app = await RunningApp.start(folder.path);
  const draft = { addresses: 'http://127.0.0.1:9/', scope: 'host', name: 'private', do: 'start' };
  await app.send('/new', draft);
  const failed = await app.until('private', ({ condition }) => condition === 'failed');
  assert.match(failed.note, /No page was stored/);
  assert.equal(failed.run?.wanted, 'stopped');
  assert.match(await (await fetch(`${app.url}manage/private`)).text(), /allow-private/, 'the log is shown');
});
