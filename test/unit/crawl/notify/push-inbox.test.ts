import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  isInboxFull,
  leaveWord,
  leaveWords,
  type PushedWord,
  PushInbox,
  pushInboxPath,
} from '../../../../src/crawl/notify/push-inbox.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

/** Takes, and has kept it. */
function takeAll(inbox: PushInbox): PushedWord[] {
  const words = inbox.take();
  inbox.settle();
  return words;
}

test('each word is taken once, also by a crawl that begins again', async () => {
  using folder = temporaryFolder();
  let place = 0;
  const open = (): PushInbox => new PushInbox(folder.path, place, (moved) => (place = moved));
  assert.deepEqual(takeAll(open()), []);
  await leaveWord(folder.path, ['https://site.test/ä', 'https://site.test/ä'], 1000);
  const item = { mark: 7, date: 5000 };
  await leaveWords(folder.path, [{ url: 'https://site.test/b', topic: 'https://site.test/feed', item }], 1000);
  await leaveWords(folder.path, [{ url: 'https://site.test/feed', poll: true }], 1000);
  appendFileSync(
    pushInboxPath(folder.path),
    'no JSON\n{"url":5}\n{"url":"https://site.test/c","topic":"t","item":{}}\n{"url',
  );
  const inbox = open();
  assert.deepEqual(takeAll(inbox), [
    { url: 'https://site.test/ä' },
    { url: 'https://site.test/b', topic: 'https://site.test/feed', item },
    { url: 'https://site.test/feed', poll: true },
    { url: 'https://site.test/c' },
  ]);
  assert.deepEqual(takeAll(inbox), [], 'a line that is not whole waits');
  appendFileSync(pushInboxPath(folder.path), '":"https://site.test/late"}\n');
  assert.deepEqual(takeAll(open()), [{ url: 'https://site.test/late' }]);
  writeFileSync(pushInboxPath(folder.path), '{"url":"https://site.test/anew"}\n');
  const last = open();
  assert.deepEqual([...takeAll(last), ...takeAll(last)], [{ url: 'https://site.test/anew' }], 'begun anew');
});

test('a file that has grown is begun anew, and nothing is lost of it', async () => {
  using folder = temporaryFolder();
  let place = 0;
  const inbox = new PushInbox(folder.path, 0, (moved) => (place = moved), 100);
  await leaveWord(folder.path, ['https://site.test/1', 'https://site.test/2', 'https://site.test/3'], 1000);
  assert.equal(takeAll(inbox).length, 3);
  assert.deepEqual(takeAll(inbox), []);
  assert.equal(place, 0);
  assert.equal(existsSync(pushInboxPath(folder.path)), false);
  // Somebody who had opened it before writes to it still.
  appendFileSync(`${pushInboxPath(folder.path)}.old`, '{"url":"https://site.test/4"}\n');
  await leaveWord(folder.path, ['https://site.test/5'], 1000);
  assert.deepEqual(takeAll(inbox), [{ url: 'https://site.test/4' }, { url: 'https://site.test/5' }]);
  assert.equal(existsSync(`${pushInboxPath(folder.path)}.old`), false);
  assert.equal(isInboxFull(folder.path), false);
});

test('submissions that come at once do not tear the lines of each other', async () => {
  using folder = temporaryFolder();
  const listOf = (host: string): PushedWord[] =>
    Array.from({ length: 5000 }, (_, page) => ({
      url: `https://${host}.test/${'a-rather-long-path/'.repeat(6)}${page}`,
    }));
  const hosts = ['one', 'two', 'three', 'four'];
  await Promise.all(hosts.map((host) => leaveWords(folder.path, listOf(host), 1000)));
  const lines = readFileSync(pushInboxPath(folder.path), 'utf8').trim().split('\n');
  const urls = lines.map((line) => (JSON.parse(line) as PushedWord).url);
  assert.deepEqual(urls.sort(), hosts.flatMap((host) => listOf(host).map(({ url }) => url)).sort());
});

test('what was taken but not kept is taken again', async () => {
  using folder = temporaryFolder();
  let place = 0;
  const open = (): PushInbox => new PushInbox(folder.path, place, (moved) => (place = moved), 10);
  await leaveWord(folder.path, ['https://site.test/1'], 1000);
  assert.equal(open().take().length, 1);
  assert.equal(place, 0);
  const inbox = open();
  assert.equal(takeAll(inbox).length, 1);
  assert.deepEqual(inbox.take(), [], 'the file is begun anew');
  appendFileSync(`${pushInboxPath(folder.path)}.old`, '{"url":"https://site.test/late"}\n');
  assert.deepEqual([inbox.take(), inbox.take()].flat().length, 2, 'the end of the old file as well');
  inbox.settle();
  assert.deepEqual(inbox.take(), []);
});

test('a line that was left without its end spoils no other', async () => {
  using folder = temporaryFolder();
  writeFileSync(pushInboxPath(folder.path), '{"url":"https://site.test/by-hand"}');
  await leaveWord(folder.path, ['https://site.test/1'], 1000);
  const inbox = new PushInbox(folder.path, 0, () => {});
  assert.deepEqual(takeAll(inbox), [{ url: 'https://site.test/by-hand' }, { url: 'https://site.test/1' }]);
});

test('a line without end is not in the way of others', async () => {
  using folder = temporaryFolder();
  writeFileSync(pushInboxPath(folder.path), 'x'.repeat(3 << 20));
  await leaveWord(folder.path, ['https://site.test/1'], 1000);
  const inbox = new PushInbox(folder.path, 0, () => {});
  const words = Array.from({ length: 4 }, () => takeAll(inbox)).flat();
  assert.deepEqual(words, [{ url: 'https://site.test/1' }]);
});
