import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Access } from '../../../../src/web/http/access/access.ts';
import { RateLimit } from '../../../../src/web/http/access/rate-limit.ts';
import { SessionKey } from '../../../../src/web/http/access/session-key.ts';
import { MOST_BODY_BYTES } from '../../../../src/web/http/body.ts';
import { type Got, type Served, serve } from '../serving.ts';
import { type ControlledFolder, controlledFolder } from './controlled-folder.ts';

const CONTROL = 'control-token-0123456789';
const VIEW = 'view-token-0123456789abc';
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PAUSE = '/api/v1/control/pause';

/** The table of docs/api.md, a line each. */
describe('Requests that are refused', () => {
  let folder: ControlledFolder;
  /** On loopback, without a token; and one that asks for tokens. */
  let open: Served;
  let closed: Served;
  before(async () => {
    folder = await controlledFolder();
    const limits = { changes: 1000, wrongTokens: 1000 };
    open = await serve({ ...folder.parts, limits });
    closed = await serve({ ...folder.parts, limits, access: new Access({ controlToken: CONTROL, viewToken: VIEW }) });
  });
  after(async () => {
    await open[Symbol.asyncDispose]();
    await closed[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const pause = (served: Served, headers: Record<string, string> = {}, body = '{}'): Promise<Got> =>
    served.get(PAUSE, { ...JSON_TYPE, ...headers }, 'POST', body);
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const logIn = async (served: Served, token: string): Promise<Got> =>
    served.get('/login', FORM, 'POST', `token=${token}&to=/dashboard`);
  const cookieOf = ({ headers }: Got): string => String(headers['set-cookie']?.[0]).split(';')[0];
  const csrfOf = ({ text }: Got): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

  test('without a token: pages lead to the login, programs get 401', async () => {
    for (const path of ['/', '/search?q=spider', '/dashboard', '/control', '/changes']) {
      const { status, headers } = await closed.get(path);
      assert.equal(status, 303, path);
      assert.match(String(headers.location), /^\/login\?to=%2F/);
    }
    for (const path of [
      '/api/v1/search?q=a',
      '/api/search?q=a',
      '/api/v1/control',
      '/dashboard.json',
      '/changes.json',
    ]) {
      const { status, headers } = await closed.get(path);
      assert.equal(status, 401, path);
      assert.match(String(headers['www-authenticate']), /^Bearer/);
    }
    assert.equal((await pause(closed)).status, 401);
    for (const path of ['/healthz', '/login', '/style.css', '/api/v1/openapi.json'])
      assert.equal((await closed.get(path)).status, 200, path);
  });

  test('a wrong token, or one as part of the address', async () => {
    assert.equal((await closed.get('/api/v1/control', bearer('x'.repeat(24)))).status, 401);
    assert.equal((await closed.get('/api/v1/control', bearer(`${CONTROL} `.trim().slice(0, -1)))).status, 401);
    assert.equal((await closed.get(`/api/v1/control?token=${CONTROL}`)).status, 401);
  });

  test('the token for reading reads, and changes nothing', async () => {
    assert.equal((await closed.get('/api/v1/control', bearer(VIEW))).status, 200);
    const { status, text } = await pause(closed, bearer(VIEW));
    assert.equal(status, 403);
    assert.match(text, /may read, but change nothing/);
    assert.equal((await pause(closed, bearer(CONTROL))).status, 202);
  });

  test('a page of another site posts to this one, loopback or not', async () => {
    for (const served of [open, closed]) {
      const headers = served === closed ? bearer(CONTROL) : {};
      const senders: readonly Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `http://127.0.0.1:${served.listening.port + 1}` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const from of senders)
        assert.equal((await pause(served, { ...headers, ...from })).status, 403, JSON.stringify(from));
      const own = { origin: `http://127.0.0.1:${served.listening.port}`, 'sec-fetch-site': 'same-origin' };
      assert.equal((await pause(served, { ...headers, ...own })).status, 202);
    }
  });

  test('what a page of another site could send without asking: forms and plain text', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const { status } = await open.get(PAUSE, type === '' ? {} : { 'content-type': type }, 'POST', '{}');
      assert.equal(status, 415, type);
    }
    const asked = await open.get(
      PAUSE,
      { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    assert.equal(asked.headers['access-control-allow-origin'], undefined);
  });

  test('a form without what only our pages know, or with that of another session', async () => {
    assert.equal((await open.get('/control', FORM, 'POST', 'do=pause')).status, 403);
    assert.equal((await open.get('/control', FORM, 'POST', 'do=pause&csrf=forged')).status, 403);
    const csrf = csrfOf(await open.get('/control'));
    assert.equal((await open.get('/control', FORM, 'POST', `do=resume&csrf=${csrf}`)).status, 303);
    const cookie = cookieOf(await logIn(closed, CONTROL));
    const other = csrfOf(await closed.get('/control', { cookie: cookieOf(await logIn(closed, CONTROL)) }));
    assert.notEqual(other, '');
    assert.equal((await closed.get('/control', { ...FORM, cookie }, 'POST', `do=pause&csrf=${other}`)).status, 403);
    const own = csrfOf(await closed.get('/control', { cookie }));
    assert.equal((await closed.get('/control', { ...FORM, cookie }, 'POST', `do=resume&csrf=${own}`)).status, 303);
    assert.equal((await pause(closed, { cookie })).status, 403, 'the API wants it as a header');
    assert.equal((await pause(closed, { cookie, 'x-csrf-token': own })).status, 202);
  });

  test('a session is a cookie that scripts and other sites do not get; a forged or outdated one counts for nothing', async () => {
    const login = await logIn(closed, VIEW);
    assert.equal(login.status, 303);
    assert.equal(login.headers.location, '/dashboard');
    const [set] = login.headers['set-cookie'] ?? [];
    assert.match(set, /; Path=\/; HttpOnly; SameSite=Strict$/);
    const secure = await closed.get('/login', { ...FORM, 'x-forwarded-proto': 'https' }, 'POST', `token=${VIEW}`);
    assert.match(String(secure.headers['set-cookie']), /; Secure/);
    const cookie = cookieOf(login);
    assert.equal((await closed.get('/dashboard', { cookie })).status, 200);
    assert.doesNotMatch((await closed.get('/control', { cookie })).text, /<form method="post" action="\/control"/);
    for (const forged of [
      cookie.replace('view.', 'control.'),
      cookie.slice(0, -1),
      cookie.replace(/\.\d+\./, '.9999999999999.'),
    ])
      assert.equal((await closed.get('/dashboard', { cookie: forged })).status, 303, forged);
    // Who may read knows the key that sessions of readers are signed with.
    const raised = new SessionKey(VIEW).sign({ role: 'control', nonce: 'a', until: Date.now() + 60_000 });
    assert.equal((await closed.get('/control', { cookie: `orbweaver_session=${raised}` })).status, 303);
    let now = Date.now();
    const access = new Access({ viewToken: VIEW, now: () => now });
    const session = { cookie: `orbweaver_session=${access.beginSession('view')}` };
    assert.equal(access.visitorOf(session).role, 'view');
    now += 13 * 3_600_000;
    assert.equal(access.visitorOf(session).role, undefined);
    const renewed = new Access({ viewToken: `${VIEW}-another` });
    assert.equal(renewed.visitorOf(session).role, undefined);
  });

  test('whoever may read can end the session; pages of others cannot', async () => {
    const cookie = cookieOf(await logIn(closed, VIEW));
    const csrf = csrfOf(await closed.get('/login', { cookie }));
    assert.equal((await closed.get('/logout', { ...FORM, cookie }, 'POST', 'csrf=x')).status, 403);
    const out = await closed.get('/logout', { ...FORM, cookie }, 'POST', `csrf=${csrf}`);
    assert.equal(out.status, 303);
    assert.match(String(out.headers['set-cookie']), /=; Max-Age=0/);
  });

  test('the login leads nowhere else', async () => {
    for (const to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/a"><script>',
    ]) {
      const { headers } = await closed.get('/login', FORM, 'POST', new URLSearchParams({ token: VIEW, to }).toString());
      assert.equal(headers.location, '/', to);
    }
    const { status, text } = await closed.get('/login', FORM, 'POST', 'token=%3Cscript%3E&to=%22%3E%3Cscript%3E');
    assert.equal(status, 401);
    assert.doesNotMatch(text, /"><script>/);
  });

  test('more than is taken', async () => {
    const large = JSON.stringify({ urls: ['https://a.example/'], more: 'x'.repeat(MOST_BODY_BYTES) });
    const headers = { ...JSON_TYPE, 'content-length': String(large.length) };
    assert.equal((await open.get('/api/v1/control/submissions', headers, 'POST', large)).status, 413);
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    assert.equal((await open.get('/api/v1/control/submissions', chunked, 'POST', large)).status, 413);
    assert.equal((await open.get('/control', FORM, 'POST', large)).status, 413);
  });

  test('too often: wrong tokens and changes', async () => {
    await using served = await serve({
      ...folder.parts,
      limits: { changes: 5, wrongTokens: 3 },
      access: new Access({ controlToken: CONTROL }),
    });
    for (let times = 0; times < 3; times++) assert.equal((await logIn(served, 'x'.repeat(20))).status, 401);
    const late = await logIn(served, CONTROL);
    assert.equal(late.status, 429);
    assert.ok(Number(late.headers['retry-after']) > 0);
    assert.equal((await served.get('/api/v1/control', bearer(CONTROL))).status, 429, 'by no other way either');
    await using busy = await serve({ ...folder.parts, limits: { changes: 2 } });
    for (let times = 0; times < 2; times++) assert.equal((await pause(busy)).status, 202);
    assert.equal((await pause(busy)).status, 429);
    assert.equal((await busy.get('/search?q=spider')).status, 200, 'reading is not counted');
  });

  test('a limit fills evenly again, and forgets addresses beyond a number', () => {
    let now = 0;
    const limit = new RateLimit({ perMinute: 2, now: () => now });
    limit.take('a');
    limit.take('a');
    assert.equal(limit.waitOf('a'), 30);
    now += 30_000;
    assert.equal(limit.waitOf('a'), 0);
    assert.equal(limit.waitOf('b'), 0);
  });

  test('through a proxy, a server without a token can only be read', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    assert.equal((await open.get('/dashboard', forwarded)).status, 200);
    assert.doesNotMatch((await open.get('/dashboard', forwarded)).text, /action="\/control"/);
    assert.equal((await pause(open, forwarded)).status, 403);
  });

  test('public search: what people publish is readable without a token, and nothing else', async () => {
    const access = new Access({ controlToken: CONTROL, publicSearch: true });
    await using served = await serve({ ...folder.parts, access });
    for (const path of ['/', '/search?q=spider', '/api/v1/search?q=spider', '/changes', '/help'])
      assert.equal((await served.get(path)).status, 200, path);
    for (const path of [
      '/dashboard',
      '/control',
      '/api/v1/status',
      '/api/v1/control',
      '/api/v1/pages',
      '/dashboard.json',
    ])
      assert.notEqual((await served.get(path)).status, 200, path);
    assert.equal((await pause(served)).status, 401);
  });
});
