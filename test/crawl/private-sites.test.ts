import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { CrawlReader, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { listening, tlsFixture } from '../unit/fetch/loopback.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';
import { everythingIn, PASSWORD, Site } from './private-site.ts';

const BASIC = 'swordfish-basic';
const BEARER = 'token-of-the-bearer';
const COOKIE = 'cookie-from-a-browser';
const KEY = 'key-in-a-header';

const common: Partial<CreateCrawlSettings> = {
  ...({ scope: 'host', delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', index: false } as const),
  ...{ trapLearning: false, nearDuplicates: false, allowPrivate: true },
};

test('a login by form, renewed when its session is over; none of the secrets is written anywhere', async () => {
  using temporary = temporaryFolder();
  const site = new Site();
  await using server = await listening(createServer(site.answer));
  const origin = `http://127.0.0.1:${server.port}`;
  const recipe = join(temporary.path, 'login.yaml');
  const folder = join(temporary.path, 'crawl');
  writeFileSync(join(temporary.path, 'password'), `${PASSWORD}\n`);
  writeFileSync(
    recipe,
    `page: ${origin}/login\nfields:\n  user: anna\n  password: file:${join(temporary.path, 'password')}\nsuccess: Welcome, Anna\nexpired: Please sign in\n`,
  );
  const told: string[] = [];
  {
    await using crawl = await createCrawl({ ...common, folder, seeds: [`${origin}/1`], login: [recipe] });
    crawl.on('warning', ({ message }) => told.push(message));
    crawl.on('settled', (event) => told.push(JSON.stringify(event)));
    const { ended } = await crawl.run();
    assert.equal(ended, 'finished');
  }
  assert.equal(storedPages(folder).length, 20);
  assert.equal(site.logouts, 0);
  assert.equal(site.wrong, 0);
  assert.ok(site.sessions.length >= 4 && site.sessions.length <= 6, `${site.sessions.length} sessions`);
  using reader = new CrawlReader(folder);
  for (const number of [1, 6, 12, 20])
    assert.match(Buffer.from((await reader.get(`${origin}/${number}`)).body).toString(), /private page/);
  told.push(JSON.stringify(await reader.explain(`${origin}/3`)));
  const written = `${everythingIn(folder)}\n${told.join('\n')}`;
  assert.match(written, /\[hidden\]/);
  for (const secret of [PASSWORD, ...site.sessions]) assert.ok(!written.includes(secret), secret.slice(0, 7));
});

test('a password that is wrong is tried three times, and told without its value', async () => {
  using temporary = temporaryFolder();
  const site = new Site();
  await using server = await listening(createServer(site.answer));
  const origin = `http://127.0.0.1:${server.port}`;
  const recipe = join(temporary.path, 'login.yaml');
  const folder = join(temporary.path, 'crawl');
  process.env.ORBWEAVER_TEST_PASSWORD = 'not-the-right-one';
  writeFileSync(recipe, `page: ${origin}/login\nfields: { user: anna, password: "\${ORBWEAVER_TEST_PASSWORD}" }\n`);
  const seeds = Array.from({ length: 8 }, (_, at) => `${origin}/${at}`);
  {
    await using crawl = await createCrawl({ ...common, folder, seeds, login: [recipe] });
    const { failed } = await crawl.run();
    assert.deepEqual(failed, { 'login-failed': 8 });
  }
  assert.equal(site.wrong, 3);
  using reader = new CrawlReader(folder);
  assert.match(JSON.stringify(await reader.explain(seeds[7])), /form is shown again.*not tried again/);
  assert.ok(!everythingIn(folder).includes('not-the-right-one'));
  delete process.env.ORBWEAVER_TEST_PASSWORD;
  await assert.rejects(createCrawl({ ...common, folder: join(temporary.path, 'x'), seeds, login: [recipe] }), {
    code: 'SETTING_INVALID',
    message: /ORBWEAVER_TEST_PASSWORD, which is not set/,
  });
  writeFileSync(recipe, `page: ${origin}/login\nfields: { user: anna, password: plain }\n`);
  await assert.rejects(createCrawl({ ...common, folder: join(temporary.path, 'x'), seeds, login: [recipe] }), {
    message: /holds the field "password" itself/,
  });
});

test('pages that are refused whatever the session do not cause logins without end', async () => {
  using temporary = temporaryFolder();
  const site = new Site();
  await using server = await listening(
    createServer((request, response) =>
      /^\/forbidden/.test(request.url ?? '') ? response.writeHead(401).end('no') : site.answer(request, response),
    ),
  );
  const origin = `http://127.0.0.1:${server.port}`;
  const recipe = join(temporary.path, 'login.yaml');
  writeFileSync(join(temporary.path, 'password'), PASSWORD);
  const password = `file:${join(temporary.path, 'password')}`;
  writeFileSync(recipe, `page: ${origin}/login\nfields: { user: anna, password: "${password}" }\n`);
  const seeds = Array.from({ length: 25 }, (_, at) => `${origin}/forbidden/${at}`);
  await using crawl = await createCrawl({ ...common, folder: join(temporary.path, 'crawl'), seeds, login: [recipe] });
  await crawl.run();
  assert.ok(site.sessions.length <= 9, `${site.sessions.length} logins`);
});

test('a login form that leads elsewhere is not sent', async () => {
  using temporary = temporaryFolder();
  const sent: string[] = [];
  await using foreign = await listening(
    createServer((request, response) => {
      sent.push(`${request.method} ${request.url}`);
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<form method=post><input name=user><input name=password>');
    }),
  );
  for (const [path, body] of [
    [
      '/login',
      `<form method=post action="http://127.0.0.1:${foreign.port}/take"><input name=user><input name=password></form>`,
    ],
    ['/moved', ''],
  ]) {
    await using server = await listening(
      createServer((request, response) => {
        if (request.url === path && body === '')
          return void response.writeHead(302, { location: `http://127.0.0.1:${foreign.port}/login` }).end();
        return void response.writeHead(request.url === path ? 200 : 404, { 'content-type': 'text/html' }).end(body);
      }),
    );
    const origin = `http://127.0.0.1:${server.port}`;
    const recipe = join(temporary.path, 'login.yaml');
    writeFileSync(join(temporary.path, 'password'), PASSWORD);
    writeFileSync(
      recipe,
      `page: ${origin}${path}\nfields: { user: anna, password: "file:${join(temporary.path, 'password')}" }\n`,
    );
    const folder = join(temporary.path, path.slice(1));
    await using crawl = await createCrawl({ ...common, folder, seeds: [`${origin}/1`], login: [recipe] });
    assert.deepEqual((await crawl.run()).failed, { 'login-failed': 1 });
    using reader = new CrawlReader(folder);
    assert.match(JSON.stringify(await reader.explain(`${origin}/1`)), /which the recipe does not name/);
  }
  assert.deepEqual(sent, ['GET /login']);
});

test('basic, bearer, headers and cookies from elsewhere reach their origin alone, and no file', async () => {
  using temporary = temporaryFolder();
  const folder = join(temporary.path, 'crawl');
  const asked: { readonly port: number | undefined; readonly headers: IncomingMessage['headers'] }[] = [];
  const open = (): ReturnType<typeof createServer> =>
    createServer((request, response) => {
      asked.push({ port: request.socket.localPort, headers: request.headers });
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'rotated=server-made-secret' });
      response.end(
        `<title>${request.headers.host}</title>${Object.values(origins).map((origin) => `<a href="${origin}/">x</a>`)}`,
      );
    });
  await using basic = await listening(open());
  await using bearer = await listening(open());
  await using header = await listening(open());
  const origins = Object.fromEntries(
    Object.entries({ basic, bearer, header }).map(([name, { port }]) => [name, `http://127.0.0.1:${port}`]),
  );
  // Cookies know no ports: they have a name of their own.
  await using cookies = await listening(open());
  origins.cookies = `http://cookies.test:${cookies.port}`;
  const file = join(temporary.path, 'cookies.txt');
  writeFileSync(
    file,
    `# Netscape HTTP Cookie File\n#HttpOnly_cookies.test\tFALSE\t/\tFALSE\t0\tsid\t${COOKIE}\nother.test\tFALSE\t/\tFALSE\t0\tsid\tother\n`,
  );
  const secret = join(temporary.path, 'token');
  writeFileSync(secret, BEARER);
  process.env.ORBWEAVER_TEST_BASIC = BASIC;
  process.env.ORBWEAVER_TEST_KEY = KEY;
  const credentials = {
    [origins.basic]: `basic anna:\${ORBWEAVER_TEST_BASIC}`,
    [origins.bearer]: `bearer file:${secret}`,
  };
  {
    await using crawl = await createCrawl({
      ...{ ...common, folder, scope: 'any', seeds: [`${origins.basic}/`], credentials, cookieFiles: [file] },
      hosts: { 'cookies.test': '127.0.0.1' },
      header: { [origins.header]: [`X-Api-Key: \${ORBWEAVER_TEST_KEY}`] },
    });
    await crawl.run();
  }
  delete process.env.ORBWEAVER_TEST_BASIC;
  delete process.env.ORBWEAVER_TEST_KEY;
  assert.equal(storedPages(folder).length, 4);
  const code = Buffer.from(`anna:${BASIC}`).toString('base64');
  const sentTo = (port: number) =>
    JSON.stringify(asked.filter((one) => one.port === port).map(({ headers }) => headers));
  for (const [value, { port }] of [
    [`Basic ${code}`, basic],
    [`Bearer ${BEARER}`, bearer],
    [KEY, header],
    [`sid=${COOKIE}`, cookies],
  ] as const) {
    assert.ok(sentTo(port).includes(value), value.slice(0, 6));
    for (const other of [basic, bearer, header, cookies])
      if (other.port !== port) assert.ok(!sentTo(other.port).includes(value), value.slice(0, 6));
  }
  const written = everythingIn(folder);
  for (const one of [BASIC, code, BEARER, KEY, COOKIE, 'server-made-secret'])
    assert.ok(!written.includes(one), one.slice(0, 5));
});

test('a client certificate is shown to its origin, and to no other', async () => {
  using temporary = temporaryFolder();
  const identity = { key: tlsFixture('server-key.pem'), cert: tlsFixture('server.pem') };
  const pem = join(temporary.path, 'me.pem');
  writeFileSync(pem, `${identity.cert}\n${identity.key}`);
  const shown: Record<number, boolean[]> = {};
  const open = () =>
    createSecureServer({ ...identity, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const socket = request.socket as unknown as { getPeerCertificate(): { subject?: unknown }; localPort: number };
      shown[socket.localPort] = [...(shown[socket.localPort] ?? []), socket.getPeerCertificate().subject !== undefined];
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title>');
    });
  await using one = await listening(open());
  await using other = await listening(open());
  const [mine, theirs] = [one, other].map(({ port }) => `https://127.0.0.1:${port}`);
  const settings = { ...common, tlsVerify: false, clientCertificates: { [mine]: pem } };
  {
    await using crawl = await createCrawl({
      ...settings,
      folder: join(temporary.path, 'crawl'),
      seeds: [mine, theirs],
    });
    await crawl.run();
  }
  assert.ok(shown[one.port].every((is) => is) && shown[other.port].every((is) => !is), JSON.stringify(shown));
  await assert.rejects(
    createCrawl({
      ...settings,
      folder: join(temporary.path, 'x'),
      seeds: [mine],
      clientCertificates: { [mine]: join(temporary.path, 'none.pem') },
    }),
    { code: 'SETTING_INVALID', message: /client certificate/ },
  );
});
