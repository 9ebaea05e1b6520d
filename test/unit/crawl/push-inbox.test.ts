import assert from 'node:assert/strict';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { isInboxFull, leaveWord, leaveWords, PushInbox, pushInboxPath } from '../../../src/crawl/push-inbox.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

test('each word is taken once, also by a crawl that begins again', async () => {
  using folder = temporaryFolder();
  let place = 0;
  const open = (): PushInbox => new PushInbox(folder.path, place, (moved) => (place = moved));
  assert.deepEqual(open().take(), []);
  await leaveWord(folder.path, ['https://site.test/ä', 'https://site.test/ä'], 1000);
  const item = { mark: 7, date: 5000 };
  await leaveWords(folder.path, [{ url: 'https://site.test/b', topic: 'https://site.test/feed', item }], 1000);
  await leaveWords(folder.path, [{ url: 'https://site.test/feed', poll: true }], 1000);
  appendFileSync(
    pushInboxPath(folder.path),
    'no JSON\n{"url":5}\n{"url":"https://site.test/c","topic":"t","item":{}}\n{"url',
  );
  const inbox = open();
  assert.deepEqual(inbox.take(), [
    { url: 'https://site.test/ä' },
    { url: 'https://site.test/b', topic: 'https://site.test/feed', item },
    { url: 'https://site.test/feed', poll: true },
    { url: 'https://site.test/c' },
  ]);
  assert.deepEqual(inbox.take(), [], 'a line that is not whole waits');
  appendFileSync(pushInboxPath(folder.path), '":"https://site.test/late"}\n');
  assert.deepEqual(open().take(), [{ url: 'https://site.test/late' }]);
  writeFileSync(pushInboxPath(folder.path), '{"url":"https://site.test/anew"}\n');
  const last = open();
  assert.deepEqual([...last.take(), ...last.take()], [{ url: 'https://site.test/anew' }], 'begun anew');
});

test('a file that has grown is begun anew, and nothing is lost of it', async () => {
  using folder = temporaryFolder();
  let place = 0;
  const inbox = new PushInbox(folder.path, 0, (moved) => (place = moved), 100);
  await leaveWord(folder.path, ['https://site.test/1', 'https://site.test/2', 'https://site.test/3'], 1000);
  assert.equal(inbox.take().length, 3);
  assert.deepEqual(inbox.take(), []);
  assert.equal(place, 0);
  assert.equal(existsSync(pushInboxPath(folder.path)), false);
  // Somebody who had opened it before writes to it still.
  appendFileSync(`${pushInboxPath(folder.path)}.old`, '{"url":"https://site.test/4"}\n');
  await leaveWord(folder.path, ['https://site.test/5'], 1000);
  assert.deepEqual(inbox.take(), [{ url: 'https://site.test/4' }, { url: 'https://site.test/5' }]);
  assert.equal(existsSync(`${pushInboxPath(folder.path)}.old`), false);
  assert.equal(isInboxFull(folder.path), false);
});
