import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { parse } from 'yaml';
import { findBrowser } from '../../src/render/find-browser.ts';
import { callProgram } from '../called-program.ts';
import { storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { serving } from '../crawl/private-site.ts';

const LOCAL = ['--allow-private', '--delay', '0', '--delay-factor', '0'];
const browser = findBrowser();

test('in a browser: scripts log in, and the cookies of the site alone become a file that only the user reads', {
  skip: browser === undefined ? 'no Chrome or Chromium here' : false,
}, async (t) => {
  using temporary = temporaryFolder();
  const input = new PassThrough();
  await using server = await serving({
    '/app': `<script>fetch('/session', { method: 'POST' }).then(() => fetch('/done'))</script>`,
    '/session': (_request, response) =>
      response.writeHead(204, { 'set-cookie': 'sid=a-secret-of-the-browser; Path=/; HttpOnly' }).end(),
    // The person sees that the login is done.
    '/done': (_request, response) => {
      response.writeHead(204).end();
      input.write('\n');
    },
    '/private': (request, response) =>
      response
        .writeHead(request.headers.cookie === 'sid=a-secret-of-the-browser' ? 200 : 401, {
          'content-type': 'text/html',
        })
        .end('<title>Private</title>'),
  });
  // A window without a screen: what a person would see is drawn nowhere.
  // As root the browser runs as nobody, who must be able to read it.
  const place = mkdtempSync(join(tmpdir(), 'orbweaver-login-browser-'));
  chmodSync(place, 0o755);
  t.after(() => rmSync(place, { recursive: true }));
  const program = join(place, 'browser');
  writeFileSync(program, `#!/bin/sh\nexec ${browser} --headless=new --disable-gpu "$@"\n`);
  chmodSync(program, 0o755);
  const folder = join(temporary.path, 'crawl');
  const flags = ['--dir', folder, '--in-browser', '--browser', program, '--no-browser-sandbox', ...LOCAL];
  const { port } = new URL(server.origin);
  const ended = await callProgram(['login', `http://app.test:${port}/app`, ...flags, '--hosts', 'app.test=127.0.0.1'], {
    input,
  });
  assert.equal(ended.status, 0, ended.stderr);
  assert.match(ended.stderr, /1 cookie of app\.test: sid\n/);
  const { 'cookie-files': files } = parse(readFileSync(join(folder, 'orbweaver.yaml'), 'utf8')) as {
    'cookie-files': string[];
  };
  assert.equal(statSync(files[0]).mode & 0o777, 0o600);
  assert.ok(!`${ended.stdout}${ended.stderr}`.includes('a-secret-of-the-browser'));
  assert.ok(!existsSync(join(folder, 'login-browser')));
  const crawl = await callProgram([
    ...['crawl', `http://app.test:${port}/private`, '--dir', folder, '--hosts', 'app.test=127.0.0.1', ...LOCAL],
    ...['--no-index', '--sitemaps', 'off'],
  ]);
  assert.equal(crawl.status, 0, crawl.stderr);
  assert.equal(storedPages(folder).length, 1);
});
