import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../../src/base/clock.ts';
import { FolderLibrary } from '../../../../src/crawls/folder-library.ts';
import { PlanPreviews } from '../../../../src/crawls/plan-previews.ts';
import { LibraryApp } from '../../../../src/web/crawls/library-app.ts';
import { MountedCrawls } from '../../../../src/web/crawls/mounted-crawls.ts';
import { Access } from '../../../../src/web/http/access/access.ts';
import { type Listening, startWebApp } from '../../../../src/web/http/listen.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const FAKE = fileURLToPath(new URL('../../crawls/fake-crawl.ts', import.meta.url));
const HOSTILE = '<img src=x onerror=alert(1)>"\'';

interface Got {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

describe('LibraryApp', () => {
  const folder = temporaryFolder();
  const opened = new AsyncDisposableStack();
  let listening: Listening;
  let watching: Listening;
  let token = '';

  before(async () => {
    mkdirSync(join(folder.path, HOSTILE));
    writeFileSync(join(folder.path, HOSTILE, 'orbweaver.yaml'), '');
    writeFileSync(join(folder.path, HOSTILE, 'app-run.log'), '</pre><script>alert(1)</script>');
    const command = [process.execPath, FAKE];
    const clock = systemClock;
    const library = opened.use(new FolderLibrary(folder.path, { command }));
    const previews = opened.use(new PlanPreviews({ command, clock }));
    const open = async () => {
      throw new Error('nothing is mounted here');
    };
    const mounts = opened.use(new MountedCrawls({ open, clock }));
    const parts = { library, previews, mounts, clock };
    listening = opened.use(await startWebApp(new LibraryApp({ ...parts, limits: { changes: 1000 } })));
    watching = opened.use(await startWebApp(new LibraryApp({ ...parts, access: new Access({ viewToken: 'see' }) })));
    token = /name="csrf" value="([^"]*)"/.exec((await ask('/')).text)?.[1] ?? '';
  });
  after(async () => {
    await opened.disposeAsync();
    folder[Symbol.dispose]();
  });

  function ask(
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
    to = listening,
  ): Promise<Got> {
    const body = fields === undefined ? undefined : new URLSearchParams(fields).toString();
    const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const options = {
      host: '127.0.0.1',
      port: to.port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
    };
    return new Promise((resolve, reject) => {
      const asking = request({ ...options, headers: { ...type, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
        );
      });
      asking.on('error', reject);
      asking.end(body);
    });
  }

  test('folders of this machine are for those who are on it, not for those who come through a proxy', async () => {
    await using stack = new AsyncDisposableStack();
    using own = temporaryFolder();
    const [command, clock] = [[process.execPath, FAKE], systemClock];
    const library = stack.use(new FolderLibrary(own.path, { command, takesFolders: true }));
    const previews = stack.use(new PlanPreviews({ command, clock }));
    const open = async () => {
      throw new Error('nothing is mounted here');
    };
    const mounts = stack.use(new MountedCrawls({ open, clock }));
    const access = new Access({ controlToken: 'steer' });
    const local = stack.use(await startWebApp(new LibraryApp({ library, previews, mounts, clock, access })));
    const known = { authorization: 'Bearer steer' };
    const form = await ask('/new', undefined, known, local);
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const fields = { csrf, addresses: own.path, name: 'far', do: 'start' };
    const far = await ask('/new', fields, { ...known, 'x-forwarded-for': '203.0.113.7' }, local);
    assert.equal(far.status, 422, far.text.slice(0, 500));
    assert.match(far.text, /This server can be reached by others/);
    assert.equal((await ask('/new', { ...fields, name: 'near' }, known, local)).status, 303);
  });

  test('names, logs and what was typed are shown as text', async () => {
    for (const path of [
      '/',
      `/manage/${encodeURIComponent(HOSTILE)}`,
      `/manage/${encodeURIComponent(HOSTILE)}/delete`,
    ]) {
      const { status, text } = await ask(path);
      assert.equal(status, 200, path);
      assert.ok(text.includes('&lt;img src=x'), path);
      assert.doesNotMatch(text, /<img|<script>/, path);
    }
    const { status, text } = await ask('/new', { csrf: token, addresses: `/x${HOSTILE}`, name: HOSTILE, do: 'start' });
    assert.equal(status, 422);
    assert.doesNotMatch(text, /<img/);
    assert.match(text, /id="name-wrong"/);
    assert.match(text, /id="addresses-wrong"[^>]*>This server can be reached by others/);
    const filled = await ask(`/new?addresses=${encodeURIComponent(HOSTILE)}`);
    assert.ok(filled.text.includes('&lt;img src=x'));
  });

  test('forged, cross-site, foreign and oversized requests change nothing', async () => {
    const good = { csrf: token };
    const refused: readonly (readonly [number, string, Record<string, string>, Record<string, string>])[] = [
      [403, '/demo', {}, {}],
      [403, '/demo', { csrf: 'x' }, {}],
      [403, '/demo', good, { 'sec-fetch-site': 'cross-site' }],
      [403, '/demo', good, { 'sec-fetch-site': 'same-site' }],
      [403, '/demo', good, { origin: 'https://evil.example' }],
      [421, '/demo', good, { host: 'evil.example' }],
      [415, '/demo', good, { 'content-type': 'text/plain' }],
      [413, '/demo', { ...good, x: 'y'.repeat(300_000) }, {}],
      [404, '/nothing', good, {}],
      [404, '/manage/..%2f..%2fetc/start', good, {}],
      [404, '/manage/%00/start', good, {}],
      [404, '/manage/none/delete', good, {}],
      [404, '/trash/restore', { ...good, id: '../../x' }, {}],
      [404, '/trash/purge', { ...good, id: '..', confirm: '..' }, {}],
    ];
    for (const [status, path, fields, headers] of refused) {
      assert.equal((await ask(path, fields, headers)).status, status, JSON.stringify([path, headers]));
    }
    const seeing = { authorization: 'Bearer see' };
    assert.equal((await ask('/demo', good, seeing, watching)).status, 403, 'who may look changes nothing');
    assert.equal((await ask('/demo', good, {}, watching)).status, 401);
    assert.deepEqual(
      [(await ask('/', undefined, {}, watching)).location, (await ask('/manage/x', undefined, {}, watching)).location],
      ['/login?to=%2F', '/login?to=%2Fmanage%2Fx'],
    );
    const seen = await ask('/', undefined, seeing, watching);
    assert.equal(seen.status, 200);
    assert.doesNotMatch(seen.text, /<form method="post"|name="csrf"/);
    const { crawls } = JSON.parse((await ask('/crawls.json')).text) as { crawls: { name: string }[] };
    assert.deepEqual(
      crawls.map(({ name }) => name),
      [HOSTILE],
    );
  });

  test('strangers learn of no crawl, and open none', async () => {
    for (const name of [encodeURIComponent(HOSTILE), 'none']) {
      const path = `/crawls/${name}/dashboard`;
      const { status, location } = await ask(path, undefined, {}, watching);
      assert.deepEqual([status, location], [303, `/login?to=${encodeURIComponent(path)}`]);
      assert.equal((await ask(`/crawls/${name}`, undefined, {}, watching)).status, 303);
      for (const called of [`/crawls/${name}/api/v1/status`, `/crawls/${name}/mcp`, '/crawls.json']) {
        const program = await ask(called, undefined, {}, watching);
        assert.deepEqual([program.status, JSON.parse(program.text).error], [401, 'A token is needed here.'], called);
      }
      assert.equal((await ask(`/crawls/${name}/control`, { do: 'pause' }, {}, watching)).status, 401);
    }
    const seeing = { authorization: 'Bearer see' };
    assert.equal((await ask('/crawls/none/', undefined, seeing, watching)).status, 404);
  });

  test('unknown pages, plans and crawls are not found; broken paths are no fault', async () => {
    for (const path of [
      '/x',
      '/plan/x',
      '/manage/x',
      '/manage/%ff',
      '/crawls/x/',
      '/crawls/%ff/search',
      '/crawls/..%2f..%2fetc/',
      '/trash/purge?id=x',
    ])
      assert.equal((await ask(path)).status, 404, path);
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal((await ask('//evil.example/')).status, 404);
  });

  test('a crawl is begun, stopped, scheduled and deleted by forms', async () => {
    const made = await ask('/new', { csrf: token, addresses: 'https://spiders.example/', name: 'a', do: 'start' });
    assert.deepEqual([made.status, made.location], [303, '/manage/a']);
    assert.match((await ask('/manage/a')).text, /Running/);
    assert.equal((await ask('/crawls/a/search?q=x')).location, '/manage/a', 'nothing can be searched yet');
    assert.equal((await ask('/manage/a/delete', { csrf: token })).status, 409);
    assert.equal((await ask('/manage/a/stop', { csrf: token, back: '//evil.example/' })).location, '/manage/a');
    for (let looks = 0; /Stopping|Running/.test((await ask('/manage/a?part=1')).text); looks++) {
      assert.ok(looks < 6000, 'it did not stop');
      await pause(20);
    }
    const wrong = await ask('/manage/a/repeat', { csrf: token, repeat: 'cron', cron: 'nope' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /id="cron-wrong"/);
    assert.equal(
      (await ask('/manage/a/repeat', { csrf: token, repeat: 'weekly', time: '04:05', weekday: '3', timeZone: 'UTC' }))
        .status,
      303,
    );
    assert.match((await ask('/')).text, /every Wednesday at 04:05 \(UTC\)/);
    assert.equal((await ask('/manage/a/delete', { csrf: token })).location, '/');
    assert.match((await ask('/trash')).text, /<bdi>a<\/bdi>/);
  });

  test('a template is saved and offered', async () => {
    await ask('/new', { csrf: token, do: 'template', templateName: HOSTILE, maxPages: '77' });
    const { text } = await ask('/templates');
    assert.ok(text.includes('&lt;img src=x') && !text.includes('<img'));
    const [, id] = /template=([0-9a-f-]{36})/.exec(text) ?? [];
    assert.match((await ask(`/new?template=${id}`)).text, /name="maxPages" type="text" value="77"/);
    await ask('/templates/delete', { csrf: token, id });
    assert.ok(!(await ask('/templates')).text.includes(id));
  });
});
