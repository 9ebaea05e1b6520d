import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { SECURITY_HEADERS } from '../../../../src/web/http/reply.ts';
import { type Got, type Served, serve } from '../serving.ts';
import { type ControlledFolder, controlledFolder } from './controlled-folder.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PREFIX = '/api/v1';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
}

/** By route of the document: calls that are right, and calls that are not, with what is said of them. */
const CALLS: Readonly<
  Record<
    string,
    { readonly right: readonly Call[]; readonly wrong: readonly (Call & { says: RegExp; status?: number })[] }
  >
> = {
  'get /search': {
    right: [
      { method: 'GET', path: '/search?q=spider' },
      { method: 'GET', path: '/search?q=spider&page=2&perPage=5&facets=1&unfolded=1&exact=1' },
    ],
    wrong: [
      { method: 'GET', path: '/search', says: /"q"/ },
      { method: 'GET', path: '/search?q=', says: /"q": is missing/ },
      { method: 'GET', path: `/search?q=${'a'.repeat(1001)}`, says: /at most 1,000/ },
      { method: 'GET', path: '/search?q=a&page=0', says: /"page": takes a whole number from 1 to 1000/ },
      { method: 'GET', path: '/search?q=a&perPage=1e9', says: /"perPage"/ },
      { method: 'GET', path: '/search?q=a&facets=yes', says: /"facets"/ },
    ],
  },
  'get /complete': {
    right: [{ method: 'GET', path: '/complete?q=sp&limit=3' }],
    wrong: [{ method: 'GET', path: '/complete?q=sp&limit=21', says: /"limit"/ }],
  },
  'get /score': {
    right: [{ method: 'GET', path: '/score?q=spider&id=https://spiders.example/garden/' }],
    wrong: [
      { method: 'GET', path: '/score?q=spider', says: /"id"/ },
      { method: 'GET', path: '/score?q=spider&id=nowhere', says: /No such document/, status: 404 },
    ],
  },
  'get /explain': {
    right: [{ method: 'GET', path: '/explain?url=https://spiders.example/' }],
    wrong: [
      { method: 'GET', path: '/explain', says: /"url"/ },
      { method: 'GET', path: '/explain?url=javascript:alert(1)', says: /not an http or https URL/ },
    ],
  },
  'get /status': { right: [{ method: 'GET', path: '/status' }], wrong: [] },
  'get /hosts': {
    right: [{ method: 'GET', path: '/hosts?limit=2' }],
    wrong: [{ method: 'GET', path: '/hosts?limit=many', says: /"limit"/ }],
  },
  'get /pages': {
    right: [{ method: 'GET', path: '/pages?limit=2&outcome=stored&after=https://spiders.example/' }],
    wrong: [{ method: 'GET', path: '/pages?outcome=odd', says: /"outcome"/ }],
  },
  'get /control': { right: [{ method: 'GET', path: '/control' }], wrong: [] },
  'get /control/operations': { right: [{ method: 'GET', path: '/control/operations' }], wrong: [] },
  'get /control/operations/{id}': {
    right: [],
    wrong: [
      { method: 'GET', path: '/control/operations/x', says: /whole number/ },
      { method: 'GET', path: '/control/operations/999999', says: /no operation/, status: 404 },
    ],
  },
  'post /control/pause': {
    right: [{ method: 'POST', path: '/control/pause', body: {} }],
    wrong: [{ method: 'POST', path: '/control/pause', body: [], says: /expected object/ }],
  },
  'post /control/resume': { right: [{ method: 'POST', path: '/control/resume', body: {} }], wrong: [] },
  'post /control/stop': { right: [{ method: 'POST', path: '/control/stop', body: {} }], wrong: [] },
  'patch /control/settings': {
    right: [
      { method: 'PATCH', path: '/control/settings', body: { delay: '2s', exclude: ['/a', '/b'], 'max-pages': null } },
    ],
    wrong: [
      { method: 'PATCH', path: '/control/settings', body: {}, says: /No setting/ },
      { method: 'PATCH', path: '/control/settings', body: { delay: 'soon' }, says: /delay/ },
      { method: 'PATCH', path: '/control/settings', body: { concurrency: 4, robots: 'false' }, says: /cannot change/ },
      { method: 'PATCH', path: '/control/settings', body: { nothing: 1 }, says: /does not exist/ },
    ],
  },
  'put /control/hosts': {
    right: [{ method: 'PUT', path: '/control/hosts', body: { host: 'Spiders.example', state: 'hold' } }],
    wrong: [
      { method: 'PUT', path: '/control/hosts', body: { host: 'a b', state: 'hold' }, says: /not a host/ },
      { method: 'PUT', path: '/control/hosts', body: { host: 'a.example', state: 'off' }, says: /"state"/ },
    ],
  },
  'put /control/patterns': {
    right: [{ method: 'PUT', path: '/control/patterns', body: { pattern: 'spiders.example/cal?d=#', state: 'hold' } }],
    wrong: [{ method: 'PUT', path: '/control/patterns', body: { state: 'hold' }, says: /"pattern"/ }],
  },
  'post /control/submissions': {
    right: [{ method: 'POST', path: '/control/submissions', body: { urls: ['https://spiders.example/new'] } }],
    wrong: [
      { method: 'POST', path: '/control/submissions', body: { urls: [] }, says: /names no URL/ },
      { method: 'POST', path: '/control/submissions', body: { urls: ['ftp://a/'] }, says: /not an http or https URL/ },
      {
        method: 'POST',
        path: '/control/submissions',
        body: { urls: Array(1001).fill('https://a.example/') },
        says: /1,000/,
      },
    ],
  },
  'post /control/requeue': {
    right: [{ method: 'POST', path: '/control/requeue', body: { urls: ['https://spiders.example/'] } }],
    wrong: [{ method: 'POST', path: '/control/requeue', body: { url: 'https://a.example/' }, says: /"urls"/ }],
  },
};

describe('The API', () => {
  let served: Served;
  let folder: ControlledFolder;
  before(async () => {
    folder = await controlledFolder();
    served = await serve({ ...folder.parts, limits: { changes: 1000 } });
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const call = ({ method, path, body }: Call): Promise<Got> =>
    served.get(
      PREFIX + path,
      body === undefined ? {} : JSON_TYPE,
      method,
      body === undefined ? '' : JSON.stringify(body),
    );

  test('each route of the document is called here, and no other is', async () => {
    const document = JSON.parse((await served.get(`${PREFIX}/openapi.json`)).text);
    const routes = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.slice(PREFIX.length)}`),
    );
    assert.deepEqual(routes.sort(), Object.keys(CALLS).sort());
  });

  test('the document is valid by an independent validator', async () => {
    const { text, headers } = await served.get(`${PREFIX}/openapi.json`);
    assert.match(String(headers['content-type']), /^application\/json/);
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    const told = problems.map(({ message, location }) => `${message} (${location[0]?.pointer})`);
    assert.deepEqual(told, []);
  });

  for (const [route, { right, wrong }] of Object.entries(CALLS)) {
    test(`${route} takes what is right and says what is wrong`, async () => {
      for (const one of right) {
        const { status, text, headers } = await call(one);
        assert.equal(status, one.method === 'GET' ? 200 : 202, `${one.path}: ${text}`);
        assert.ok(JSON.parse(text));
        for (const name of Object.keys(SECURITY_HEADERS)) assert.ok(headers[name], `${name} of ${one.path}`);
      }
      for (const { says, status = 400, ...one } of wrong) {
        const got = await call(one);
        assert.equal(got.status, status, `${one.path}: ${got.text}`);
        assert.match(JSON.parse(got.text).error, says);
      }
    });
  }

  test('what was asked is kept, and can be looked at', async () => {
    const { id } = JSON.parse((await call({ method: 'POST', path: '/control/pause', body: {} })).text);
    const { operation, by, takenAt } = JSON.parse((await served.get(`${PREFIX}/control/operations/${id}`)).text);
    assert.deepEqual({ operation, by, takenAt }, { operation: { kind: 'pause' }, by: 'api', takenAt: undefined });
    const view = JSON.parse((await served.get(`${PREFIX}/control`)).text);
    assert.equal(view.running, false);
    assert.equal(typeof view.pausedAt, 'number');
    assert.equal(view.settings.delay, '2s');
    assert.deepEqual(view.heldHosts, ['spiders.example']);
    assert.deepEqual(view.patterns, { 'spiders.example/cal?d=#': 'hold' });
    // Of several settings, none is kept where one is wrong.
    assert.equal(view.settings.concurrency, undefined);
  });

  test('a path takes its methods and tells which; what is no JSON is said to be none', async () => {
    const wrong = await served.get(`${PREFIX}/control/pause`);
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers.allow, 'POST');
    assert.equal((await served.get(`${PREFIX}/nowhere`)).status, 404);
    assert.equal((await served.get(`${PREFIX}/nowhere`)).headers['content-type'], 'application/json; charset=utf-8');
    const broken = await served.get(`${PREFIX}/control/pause`, JSON_TYPE, 'POST', '{');
    assert.equal(broken.status, 400);
    assert.match(JSON.parse(broken.text).error, /JSON/);
  });

  test('without a crawl there is nothing to steer', async () => {
    await using bare = await serve();
    assert.equal((await bare.get(`${PREFIX}/control`)).status, 404);
    assert.equal((await bare.get(`${PREFIX}/status`)).status, 404);
    assert.equal((await bare.get('/control')).status, 404);
    assert.equal((await bare.get(`${PREFIX}/search?q=spider`)).status, 200);
  });
});
