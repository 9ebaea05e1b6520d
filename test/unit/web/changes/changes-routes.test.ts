import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SmallChangeLog } from '../../crawl/small-change-log.ts';
import { type Served, serve } from '../serving.ts';

const HOSTILE = '<script>alert(1)</script> & "quotes" \u0000\u202e';

function log(): SmallChangeLog {
  const log = new SmallChangeLog();
  const day = Date.UTC(2026, 10, 3);
  log.add({ kind: 'new' }, 'http://a.test/?q=1&r=%22', HOSTILE);
  log.add({ kind: 'changed' }, 'http://a.test/page', 'A page', day);
  log.add({ kind: 'gone', status: 410 }, 'http://a.test/old', undefined, day + 1000);
  log.add({ kind: 'moved', to: 'http://b.test/new' }, 'http://a.test/moved', undefined, day + 2000);
  log.add({ kind: 'back' }, 'http://a.test/back', 'Back', day + 3000);
  return log;
}

describe('/changes', () => {
  let served: Served;
  before(async () => {
    served = await serve({ changes: log() });
  });
  after(() => served[Symbol.asyncDispose]());

  test('shows them by day, the newest first, and what came from outside as text', async () => {
    const { status, text } = await served.get('/changes');
    assert.equal(status, 200);
    assert.ok(text.indexOf('3 Nov 2026') < text.indexOf('1 Nov 2026'));
    assert.ok(text.indexOf('a.test &#8250; back') < text.indexOf('a.test &#8250; page'));
    assert.doesNotMatch(text, /<script>alert/);
    assert.match(text, /href="\/diff\?url=http%3A%2F%2Fa\.test%2Fpage&amp;to=2026-11-03T00%3A00%3A00\.000Z"/);
    assert.match(text, /gone \(HTTP 410\)/);
    assert.match(text, /rel="alternate" type="application\/atom\+xml"/);
  });

  test('older ones are a page away', async () => {
    const many = new SmallChangeLog();
    for (let i = 1; i <= 250; i++) many.add({ kind: 'new' }, `http://a.test/page-${i}-`);
    await using busy = await serve({ changes: many });
    const seen: string[] = [];
    for (let path: string | undefined = '/changes'; path !== undefined; ) {
      const { text } = await busy.get(path);
      seen.push(...[...text.matchAll(/page-(\d+)-<\/span><\/bdi>/g)].map(([, number]) => number));
      path = /href="(\/changes\?before=\d+)"/.exec(text)?.[1];
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 250 }, (_, at) => String(250 - at)),
    );
  });

  test('one kind alone, in every form', async () => {
    for (const path of ['/changes', '/changes.atom', '/changes.json']) {
      const { text } = await served.get(`${path}?kind=gone,moved`);
      assert.match(text, /moved/);
      assert.doesNotMatch(text, /Back|A page/, path);
    }
  });

  test('JSON: the newest, or read on from a number or a time', async () => {
    const newest = JSON.parse((await served.get('/changes.json?limit=2')).text);
    assert.deepEqual(
      newest.changes.map(({ number }: { number: number }) => number),
      [4, 5],
    );
    const from = JSON.parse((await served.get('/changes.json?after=1&limit=2')).text);
    assert.deepEqual(
      from.changes.map(({ number }: { number: number }) => number),
      [2, 3],
    );
    assert.equal(from.next, 3);
    const since = JSON.parse((await served.get('/changes.json?since=2026-11-03&until=2026-11-03T00:00:02Z')).text);
    assert.deepEqual(
      since.changes.map(({ kind }: { kind: string }) => kind),
      ['changed', 'gone'],
    );
    const end = JSON.parse((await served.get('/changes.json?after=5')).text);
    assert.deepEqual(end, { changes: [], next: 5 });
    // Nothing to report is no reason to begin with the first.
    for (const [nothing, next] of [
      ['since=2026-12-01', 5],
      ['since=2026-11-03T00:00:02Z&kind=gone', 5],
      ['since=2026-11-02&until=2026-11-03', 1],
      ['since=2026-12-01&before=3', 2],
      ['kind=new&since=2026-11-02', 5],
    ] as const)
      assert.deepEqual(JSON.parse((await served.get(`/changes.json?${nothing}`)).text), { changes: [], next }, nothing);
    assert.equal(JSON.parse((await served.get('/changes.json?since=2026-11-03%2000:00:03%20UTC')).text).next, 5);
    assert.deepEqual(from.changes[1], {
      number: 3,
      at: '2026-11-03T00:00:01.000Z',
      kind: 'gone',
      url: 'http://a.test/old',
      status: 410,
    });
  });

  test('what makes no sense is refused, in the form that was asked for', async () => {
    for (const query of ['kind=broken', 'after=-1', 'since=yesterday', 'before=x']) {
      assert.equal((await served.get(`/changes?${query}`)).status, 400, query);
      const json = await served.get(`/changes.json?${query}`);
      assert.equal(json.status, 400, query);
      assert.ok(JSON.parse(json.text).error);
    }
    assert.deepEqual(served.faults, []);
  });

  test('without a crawl behind the index there are none', async () => {
    await using bare = await serve();
    assert.match((await bare.get('/changes')).text, /No changes yet/);
    assert.deepEqual(JSON.parse((await bare.get('/changes.json')).text), { changes: [], next: 0 });
  });
});

describe('The feed of changes', () => {
  test('is Atom: every required part, ids that stay, nothing unescaped', async () => {
    await using served = await serve({ changes: log() });
    const { text, headers } = await served.get('/changes.atom');
    assert.match(String(headers['content-type']), /^application\/atom\+xml/);
    const tags = wellFormed(text);
    assert.deepEqual(tags.slice(0, 6), ['feed', 'id', 'title', 'updated', 'author', 'name']);
    assert.equal(tags.filter((tag) => tag === 'entry').length, 5);
    for (const name of ['id', 'title', 'updated']) assert.equal(tags.filter((tag) => tag === name).length, 6, name);
    const ids = [...text.matchAll(/<id>(urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})<\/id>/g)].map(
      ([, id]) => id,
    );
    assert.equal(new Set(ids).size, 6);
    assert.match(text, /<updated>2026-11-03T00:00:03\.000Z<\/updated>\n<author>/);
    assert.match(text, /<link rel="alternate" href="http:\/\/b\.test\/new"\/>/);

    // More changes do not touch the ids of those that were there.
    const grown = log();
    grown.add({ kind: 'new' }, 'http://a.test/late');
    await using later = await serve({ changes: grown, title: 'Spiders' });
    const { text: more } = await later.get('/changes.atom');
    for (const id of ids) assert.ok(more.includes(id));
  });

  test('of nothing is a feed too', async () => {
    await using served = await serve({ changes: new SmallChangeLog() });
    wellFormed((await served.get('/changes.atom')).text);
  });
});

/** Names of the elements in order; fails where the nesting or a character is not that of XML. */
function wellFormed(text: string): string[] {
  const open: string[] = [];
  const names: string[] = [];
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  assert.notEqual(body, text);
  for (const [, close, name, attributes, empty] of body.matchAll(
    /<(\/?)([a-z]+)((?: [a-z:]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)(\/?)>/g,
  )) {
    assert.ok(attributes !== undefined);
    if (close === '/') assert.equal(open.pop(), name);
    else {
      names.push(name);
      if (empty !== '/') open.push(name);
    }
  }
  assert.deepEqual(open, []);
  const rest = body.replace(/<\/?[a-z]+(?: [a-z:]+="[^"]*")*\/?>/g, '');
  assert.doesNotMatch(rest, /[<>\u0000]|&(?!amp;|lt;|gt;|quot;|#\d+;)/);
  return names;
}
