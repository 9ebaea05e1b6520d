import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { ClickLog } from '../../../../src/web/search/click-log.ts';
import { type Served, serve } from '../serving.ts';
import { SmallReader } from '../small-reader.ts';
import { SmallSearch } from '../small-search.ts';

const GARDEN = encodeURIComponent('https://spiders.example/garden/');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Stored copies over HTTP', () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served[Symbol.asyncDispose]());

  test('a page comes in a sandbox, with a banner and a BASE in front', async () => {
    const { text, headers } = await served.get(`/cached?url=${GARDEN}`);
    const policy = String(headers['content-security-policy']);
    const sandbox = policy.split('; ').find((directive) => directive.startsWith('sandbox'));
    assert.doesNotMatch(String(sandbox), /allow-(?:scripts|same-origin|forms|modals)/);
    for (const directive of [
      "script-src 'none'",
      "form-action 'none'",
      "frame-src 'none'",
      "connect-src 'none'",
      'img-src data:;',
    ])
      assert.ok(policy.includes(directive), directive);
    assert.match(
      text,
      /^<!doctype html><html style="[^"<>]*"><head><meta charset="utf-8"><base href="https:\/\/spiders\.example\/garden\/"><style>[^<>]*<\/style><\/head><body /,
    );
    assert.match(text, /Copy of <time datetime="2026-06-13T12:00:00\.000Z">/);
    assert.match(text, new RegExp(`href="http://127\\.0\\.0\\.1:${served.listening.port}/versions\\?url=`));
    assert.match(
      (await served.get(`/cached?url=${GARDEN}&at=2026-05-05`)).text,
      /Copy of <time datetime="2026-05-04T12/,
    );
    const live = await served.get(`/cached?url=${GARDEN}&live=1`);
    assert.match(String(live.headers['content-security-policy']), /img-src data: http: https:/);
    assert.match(String(live.headers['content-security-policy']), /script-src 'none'/);
  });

  test('the copy shown is the one that searches find, until the index is switched', async () => {
    const url = 'https://shadow.example/';
    const [first, second, third] = ['2026-05-01', '2026-05-02', '2026-05-03'].map((day) => Date.parse(day));
    const copies = [first, second, third].map((date, at) => ({ url, date, body: `<p>version ${at + 1}` }));
    const searching = (fetchedAt?: number) => ({
      reader: new SmallReader(copies),
      search: new SmallSearch([{ id: url, title: 'A', text: '', ...(fetchedAt === undefined ? {} : { fetchedAt }) }]),
    });
    await using shadowed = await serve(searching(second + 1));
    assert.match((await shadowed.get(`/cached?url=${url}`)).text, /version 2/);
    assert.match((await shadowed.get(`/cached?url=${url}&at=2026-05-03`)).text, /version 3/);
    const versions = (await shadowed.get(`/versions?url=${url}`)).text;
    assert.match(versions, /Searches find the version of/);
    assert.equal(versions.match(/changed, not searched yet/g)?.length, 1);
    assert.equal(versions.match(/changed, searched/g)?.length, 1);
    await using switched = await serve(searching(third));
    assert.match((await switched.get(`/cached?url=${url}`)).text, /version 3/);
    assert.doesNotMatch((await switched.get(`/versions?url=${url}`)).text, /searched/);
    const failed = new SmallReader([...copies, { url, date: third + 1000, body: '<p>sorry', status: 500 }]);
    await using down = await serve({ ...searching(third), reader: failed });
    assert.doesNotMatch((await down.get(`/versions?url=${url}`)).text, /searched/);
    await using unindexed = await serve(searching());
    assert.match((await unindexed.get(`/cached?url=${url}`)).text, /version 3/);
  });

  test('no copy of a page that says noarchive is shown, in any form', async () => {
    const url = 'https://shy.example/';
    await using shy = await serve({ reader: new SmallReader([{ url, date: 1, body: 'a secret', closed: true }]) });
    for (const path of [
      `/cached?url=${url}`,
      `/cached?url=${url}&as=text`,
      `/cached?url=${url}&as=file`,
      `/diff?url=${url}`,
    ]) {
      const { status, text } = await shy.get(path);
      assert.equal(status, 403, path);
      assert.match(text, /noarchive/);
      assert.doesNotMatch(text, /secret/);
    }
    const { text } = await shy.get(`/versions?url=${url}`);
    assert.match(text, /noarchive/);
    assert.doesNotMatch(text, /"\/cached\?|"radio"/, 'the visits are listed, without links that are refused');
  });

  test('a page that was visited once offers nothing to compare', async () => {
    const url = 'https://once.example/';
    await using once = await serve({ reader: new SmallReader([{ url, date: 1, body: 'text' }]) });
    assert.doesNotMatch((await once.get(`/versions?url=${url}`)).text, /"radio"|Compare the text/);
    assert.match((await once.get(`/diff?url=${url}`)).text, /visited once/);
  });

  test('its own base still counts, as http(s) alone', async () => {
    const body = '<base href="https://evil.example/">';
    await using odd = await serve({ reader: new SmallReader([{ url: 'https://odd.example/', date: 1, body }]) });
    assert.match((await odd.get('/cached?url=https://odd.example/')).text, /<base href="https:\/\/evil\.example\/">/);
  });

  test('other encodings are shown in ours', async () => {
    const body = Buffer.from('<!doctype html><meta charset="windows-1252"><p>caf\xe9', 'latin1');
    await using odd = await serve({
      reader: new SmallReader([
        { url: 'https://odd.example/', date: 1, body, contentType: 'text/html; charset=windows-1252' },
      ]),
    });
    assert.match((await odd.get('/cached?url=https://odd.example/')).text, /café/);
  });

  test('texts are shown as text, pictures in our page, the rest is only saved', async () => {
    await using odd = await serve({
      reader: new SmallReader([
        { url: 'https://odd.example/a.txt', date: 1, body: '<script>x</script>', contentType: 'text/plain' },
        { url: 'https://odd.example/a.png', date: 1, body: PNG, contentType: 'image/png' },
        {
          url: 'https://odd.example/a.svg',
          date: 1,
          body: '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
          contentType: 'image/svg+xml',
        },
        {
          url: 'https://odd.example/"\r\nx: y/..pdf',
          date: 1,
          body: '%PDF-1.7',
          contentType: 'application/pdf',
          text: 'Words of it',
        },
        { url: 'https://odd.example/fake.png', date: 1, body: '<script>x</script>', contentType: 'image/png' },
      ]),
    });
    const text = await odd.get('/cached?url=https://odd.example/a.txt');
    assert.match(text.text, /<pre class="lines"[^>]*>&lt;script&gt;x&lt;\/script&gt;<\/pre>/);
    const shown = await odd.get('/cached?url=https://odd.example/a.png');
    assert.match(shown.text, /<img src="\/cached\?url=https%3A%2F%2Fodd\.example%2Fa\.png&amp;at=/);
    const picture = await odd.get('/cached?url=https://odd.example/a.png&as=file');
    assert.equal(picture.headers['content-type'], 'image/png');
    assert.match(String(picture.headers['content-disposition']), /^inline/);
    assert.deepEqual(picture.bytes, PNG);
    for (const name of ['a.svg', 'fake.png', encodeURIComponent('"\r\nx: y/..pdf')]) {
      const file = await odd.get(`/cached?url=https://odd.example/${name}&as=file`);
      assert.equal(file.status, 200, name);
      assert.match(String(file.headers['content-disposition']), /^attachment; filename="[\w.-]+"$/, name);
      assert.match(String(file.headers['content-security-policy']), /sandbox/);
      assert.equal(file.headers.x, undefined);
    }
    assert.doesNotMatch((await odd.get('/cached?url=https://odd.example/fake.png')).text, /<img/);
  });

  test('versions can be chosen and compared', async () => {
    const { text } = await served.get(`/versions?url=${GARDEN}`);
    assert.equal(text.match(/type="radio" name="from"/g)?.length, 2);
    assert.match(text, /2 visits, 2 different versions/);
    const last = await served.get(`/diff?url=${GARDEN}`);
    assert.match(last.text, /1 paragraph changed, 1 paragraph added, 1 paragraph removed\./);
    assert.match(last.text, /<ins>almost <\/ins>every night/);
    const back = await served.get(`/diff?url=${GARDEN}&from=2026-06-13T12:00:00Z&to=2026-05-04T12:00:00Z`);
    assert.match(back.text, /<del>almost <\/del>every night/);
    assert.match(
      (await served.get(`/diff?url=${GARDEN}&from=2026-06-13&to=2026-06-13`)).text,
      /The main text is the same\./,
    );
  });

  test('a visit that found the same is of the type of the copy before it', async () => {
    const url = 'https://same.example/a.pdf';
    const visits = ['application/pdf', 'warc/revisit', 'warc/revisit'];
    const copies = visits.map((contentType, at) => ({ url, date: at + 1, body: '%PDF-1.7', contentType }));
    await using same = await serve({ reader: new SmallReader(copies) });
    const { text } = await same.get(`/versions?url=${url}`);
    assert.equal(text.match(/<td class="type">PDF<\/td>/g)?.length, 3);
  });

  test('without times the last change of the main text is shown, whatever changed around it since', async () => {
    const url = 'https://noisy.example/';
    const copies = (texts: readonly string[]) =>
      new SmallReader(texts.map((text, at) => ({ url, date: Date.UTC(2026, 0, at + 1), body: `ad ${at}`, text })));
    await using noisy = await serve({ reader: copies(['an old text', 'a new text', 'a new text', 'a new text']) });
    const { text } = await noisy.get(`/diff?url=${url}`);
    assert.match(text, /1 Jan 2026, 00:00 UTC.*2 Jan 2026, 00:00 UTC/);
    assert.match(text, /<ins>/);
    await using calm = await serve({ reader: copies(Array(60).fill('a text')) });
    const none = await calm.get(`/diff?url=${url}`);
    assert.match(none.text, /The main text is the same\. Copies before these may differ: choose among all versions\./);
  });

  test('what is not held is not found', async () => {
    for (const path of ['cached', 'versions', 'diff', 'go']) {
      assert.equal((await served.get(`/${path}?url=https://unknown.example/`)).status, 404, path);
    }
  });
});

describe('Clicks', () => {
  test('are noted only where asked for, only of our own page, and lead only to what is held', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-clicks-'));
    try {
      const clock = new VirtualClock(Date.UTC(2026, 0, 2));
      await using noting = await serve({ clicks: new ClickLog(folder, clock) });
      await using plain = await serve();
      const file = join(folder, 'clicks.jsonl');
      const go = `/go?url=${GARDEN}&q=spider%0Aweb&n=3`;
      assert.match(
        (await noting.get('/search?q=spider')).text,
        /<a class="title" href="\/go\?url=https%3A%2F%2Fspiders\.example%2Fgarden%2F&amp;q=spider&amp;n=1"/,
      );
      assert.doesNotMatch((await plain.get('/search?q=spider')).text, /"\/go\?/);
      assert.equal((await plain.get(go)).status, 302);
      assert.equal((await noting.get(go, { 'sec-fetch-site': 'cross-site' })).status, 302);
      assert.equal((await noting.get('/go?url=https://evil.example/')).status, 404);
      assert.equal(existsSync(file), false);
      const led = await noting.get(go, { 'sec-fetch-site': 'same-origin' });
      assert.equal(led.status, 302);
      assert.equal(led.headers.location, 'https://spiders.example/garden/');
      assert.deepEqual(
        readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
        [{ at: '2026-01-02T00:00:00.000Z', url: 'https://spiders.example/garden/', query: 'spider\nweb', position: 3 }],
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
