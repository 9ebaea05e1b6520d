import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { httpbis } from 'http-message-signatures';
import { systemClock } from '../../src/base/clock.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { createSigningKey } from '../../src/fetch/signing/signing-key.ts';
import { createCrawl } from '../../src/index.ts';
import { startWebApp } from '../../src/web/http/listen.ts';
import { BotApp } from '../../src/web/identity/bot-app.ts';
import { identityOf } from '../../src/web/identity/bot-identity.ts';
import { botPage } from '../../src/web/identity/bot-page.ts';
import { callProgram } from '../called-program.ts';
import { listening } from '../unit/fetch/loopback.ts';
import { temporaryFolder } from './crawl-web.ts';

/** Verified as a stranger does it: by the key that the directory of the crawler publishes. */
test('every request of a crawl is verified by the published key directory, robots.txt first', async () => {
  using folder = temporaryFolder();
  const keyFile = join(folder.path, 'bot.pem');
  const { id } = createSigningKey(keyFile);
  const { settings } = resolveSettings({
    overrides: { signatureKey: keyFile, signatureAgent: 'https://bot.example', contact: 'https://bot.example/' },
  });
  await using bot = await startWebApp(new BotApp(identityOf(settings, '1', ['192.0.2.7']), systemClock));
  const directory = await fetch(new URL('/.well-known/http-message-signatures-directory', bot.url));
  assert.equal(directory.headers.get('content-type'), 'application/http-message-signatures-directory+json');
  assert.match(
    directory.headers.get('signature-input') ?? '',
    /"@authority";req.*tag="http-message-signatures-directory"/,
  );
  const { keys } = (await directory.json()) as { keys: { kid: string; x: string }[] };
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: keys[0].x }, format: 'jwk' });
  assert.equal(keys[0].kid, id);
  // Asked under 127.0.0.1: what is signed is the host of the key all the same.
  const parameters = (directory.headers.get('signature-input') ?? '').slice('orbweaver='.length);
  const signature = Buffer.from((directory.headers.get('signature') ?? '').split(':')[1], 'base64');
  const base = `"@authority";req: bot.example\n"@signature-params": ${parameters}`;
  assert.ok(verify(null, Buffer.from(base), key, signature));

  const verdicts: [string, boolean | null | string][] = [];
  const server = createServer(async (request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    const valid = await httpbis
      .verifyMessage(
        {
          keyLookup: async () => ({
            id,
            algs: ['ed25519'],
            verify: async (data, signature) => verify(null, data, key, signature),
          }),
          requiredFields: ['@authority'],
        },
        { method: 'GET', url, headers: request.headers as Record<string, string> },
      )
      .catch((error: Error) => error.message);
    verdicts.push([request.url ?? '', valid]);
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title><a href="/b">b</a> some text');
  });
  await using site = await listening(server);
  await using crawl = await createCrawl({
    ...{ folder: join(folder.path, 'crawl'), seeds: [`http://127.0.0.1:${site.port}/`], allowPrivate: true, delay: 0 },
    ...{ workers: 0, sitemaps: 'off', index: false, signatureKey: keyFile, signatureAgent: 'https://bot.example' },
  });
  await crawl.run();
  assert.deepEqual(verdicts, [
    ['/robots.txt', true],
    ['/', true],
    ['/b', true],
  ]);
});

test('the page about a crawler says how it behaves, with its settings, and nothing of the private key', async () => {
  using folder = temporaryFolder();
  const keyFile = join(folder.path, 'bot.pem');
  createSigningKey(keyFile);
  const { settings } = resolveSettings({
    overrides: {
      ...{ signatureKey: keyFile, signatureAgent: 'https://bot.example', contact: 'anna@example.org' },
      ...{ delay: 2500, robotsAgent: 'examplebot', userAgent: 'ExampleBot/1 <script>' },
    },
  });
  const app = new BotApp(identityOf(settings, '1', ['192.0.2.0/24', '2001:DB8::/32', '198.51.100.9']), systemClock);
  await using bot = await startWebApp(app);
  const page = await (await fetch(bot.url)).text();
  for (const part of [
    'ExampleBot/1 &lt;script&gt;',
    'User-agent: examplebot',
    '2.5 seconds',
    'mailto:anna@example.org',
  ])
    assert.ok(page.includes(part), part);
  assert.ok(!page.includes('<script'));
  const { settings: own } = resolveSettings({ overrides: { robots: false, followNofollow: true } });
  const unbound = botPage(identityOf(own, '1', [])).markup;
  assert.ok(!unbound.includes('Disallow:') && !unbound.includes('Crawl-delay') && unbound.includes('nofollow.'));
  const ranges = await (await fetch(new URL('/ip-ranges.json', bot.url))).json();
  assert.deepEqual((ranges as { prefixes: object[] }).prefixes, [
    { ipv4Prefix: '192.0.2.0/24' },
    { ipv6Prefix: '2001:db8::/32' },
    { ipv4Prefix: '198.51.100.9/32' },
  ]);
  const secret = readFileSync(keyFile, 'utf8').split('\n')[1];
  for (const path of ['/', '/ip-ranges.json', '/style.css', '/.well-known/http-message-signatures-directory'])
    assert.ok(!(await (await fetch(new URL(path, bot.url))).text()).includes(secret));
  assert.equal((await fetch(new URL('/other', bot.url))).status, 404);
  assert.equal((await fetch(bot.url, { method: 'POST', body: 'x' })).status, 405);
  for (const wrong of ['192.0.2.0/33', 'example.org', '1.2.3.4/8/8', '192.0.2.0/'])
    assert.throws(() => identityOf(settings, '1', [wrong]), /--ranges takes/, wrong);
  assert.throws(() => resolveSettings({ overrides: { signatureKey: keyFile } }), /go together/);
});

test('a port that is taken is told, with what to do', async () => {
  await using taken = await listening(createServer());
  const { status, stderr } = await callProgram(['bot', 'serve', '--port', String(taken.port)]);
  assert.equal(status, 2, stderr);
  assert.match(stderr, /USAGE: Cannot listen on 127\.0\.0\.1, port \d+: EADDRINUSE\.\n {2}Choose another/);
});
