import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { resolveSecret } from '../../../../src/base/secret-reference.ts';
import type { Fetcher, FetchResult } from '../../../../src/contracts/fetcher.ts';
import { cookieNotices } from '../../../../src/crawl/visit/private-access.ts';
import { CookieJar } from '../../../../src/fetch/cookie-jar.ts';
import { readCookieFile } from '../../../../src/fetch/login/cookie-file.ts';
import { logIn } from '../../../../src/fetch/login/log-in.ts';
import { findForm } from '../../../../src/fetch/login/login-form.ts';
import { readLoginFile } from '../../../../src/fetch/login/login-recipe.ts';
import { pageText } from '../../../../src/fetch/login/page-text.ts';
import { RequestHeaders } from '../../../../src/fetch/request-headers.ts';
import { ReceivedHead } from '../../../../src/fetch/response-head.ts';
import { registrableDomain } from '../../../../src/url/public-suffix.ts';

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-login-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('secrets by reference', () => {
  test('the environment and files; what is missing is told without a value', () => {
    assert.equal(resolveSecret('anna:$' + '{PW}', 'x', { PW: 'secret' }), 'anna:secret');
    assert.equal(resolveSecret(`file:${file('pw', 'first\nsecond\n')}`, 'x'), 'first');
    assert.equal(resolveSecret('as it is', 'x'), 'as it is');
    assert.throws(() => resolveSecret('$' + '{PW}', 'The header X', {}), {
      code: 'SETTING_INVALID',
      message: /The header X.*PW, which is not set/,
    });
    assert.throws(() => resolveSecret('file:/nowhere/at/all', 'x'), /cannot be read \(ENOENT\)/);
    assert.throws(() => resolveSecret(`file:${file('empty', '')}`, 'x'), /no first line/);
  });
});

describe('cookie files', () => {
  const far = Math.floor(Date.now() / 1000) + 86_400;
  const jarOf = (path: string): CookieJar => {
    const jar = new CookieJar({}, { clock: systemClock, registrableDomain });
    jar.keep(readCookieFile(path));
    return jar;
  };

  test('Netscape: hosts below, paths, TLS alone, expired ones, HttpOnly', () => {
    const jar = jarOf(
      file(
        'cookies.txt',
        [
          '# Netscape HTTP Cookie File',
          `.example.org\tTRUE\t/\tFALSE\t${far}\twide\t1`,
          `#HttpOnly_www.example.org\tFALSE\t/private\tTRUE\t0\tnarrow\t2`,
          'www.example.org\tFALSE\t/\tFALSE\t1\told\t3',
          '',
        ].join('\r\n'),
      ),
    );
    assert.equal(jar.headerFor('https://www.example.org/private/x'), 'narrow=2; wide=1');
    assert.equal(jar.headerFor('http://www.example.org/private/x'), 'wide=1');
    assert.equal(jar.headerFor('https://sub.example.org/'), 'wide=1');
    assert.equal(jar.headerFor('https://example.com/'), undefined);
  });

  test('JSON, as extensions and browsers write it; never for a public suffix', () => {
    const cookies = [
      { name: 'a', value: '1', domain: '.example.org', path: '/', expirationDate: far + 0.5, secure: true },
      { name: 'b', value: '2', domain: 'example.org', hostOnly: true },
      { name: 'c', value: '3', domain: '.co.uk' },
    ];
    for (const json of [cookies, { cookies }]) {
      const jar = jarOf(file('cookies.json', JSON.stringify(json)));
      assert.equal(jar.headerFor('https://example.org/'), 'a=1; b=2');
      assert.equal(jar.headerFor('https://www.example.org/'), 'a=1');
      assert.equal(jar.headerFor('https://example.co.uk/'), undefined);
    }
  });

  test('one that no request can carry is left out, alone, and is told of', () => {
    const path = file(
      'odd.json',
      JSON.stringify([
        { name: 'a', value: '1', domain: 'x.test' },
        { name: 'odd', value: 'a-secret\r\nX: y', domain: 'x.test' },
        { name: 'two', value: 'a-secret; b=c', domain: 'x.test' },
        { name: 'wide', value: 'J\u00fcrgen \u20ac', domain: 'x.test' },
      ]),
    );
    const jar = new CookieJar({}, { clock: systemClock, registrableDomain });
    jar.keep(readCookieFile(path));
    const wide = Buffer.from('J\u00fcrgen \u20ac').toString('latin1');
    assert.equal(jar.headerFor('https://x.test/'), `a=1; wide=${wide}`);
    const sent = new RequestHeaders({ userAgent: 'x' }).for(
      'https://x.test',
      undefined,
      jar.headerFor('https://x.test/'),
    );
    assert.ok(sent.includes(`a=1; wide=${wide}`));
    const notices = cookieNotices({ cookieFiles: [path] });
    assert.equal(notices.length, 1);
    assert.match(notices[0], /left out: odd of x\.test, two of x\.test\.$/);
    assert.ok(!notices[0].includes('a-secret'));
    assert.deepEqual(
      cookieNotices({ cookieFiles: [file('even.json', '[{"name":"a","value":"1","domain":"x.test"}]')] }),
      [],
    );
  });

  test('what is no cookie file is refused without its content', () => {
    for (const text of ['hello world', '[{"name": "x"}]', '{', '{"cookies": 1}', '# nothing'])
      assert.throws(() => readCookieFile(file('bad', text)), { code: 'SETTING_INVALID' });
    assert.throws(() => readCookieFile(join(folder, 'none')), /ENOENT/);
  });
});

describe('forms', () => {
  test('the form of the recipe, with what the page gives, and nothing that was not chosen', () => {
    const html = `<form action=/search><input name=q></form>
      <FORM METHOD='POST' action="session?a=1&amp;b=2"><input type="hidden" name="csrf" value="&quot;x&#39;">
      <input name=user value=nobody><input type=password name=pw><input type=radio name=r value=1><input type=radio name=r value=2 checked>
      <input type=submit name=go value=Go></FORM>`;
    const form = findForm(html, ['user', 'pw'], 'https://example.org/login/');
    assert.deepEqual(form?.action, 'https://example.org/login/session?a=1&b=2');
    assert.equal(form?.method, 'post');
    assert.deepEqual(
      [...(form?.fields ?? [])],
      [
        ['csrf', `"x'`],
        ['user', 'nobody'],
        ['pw', ''],
        ['r', '2'],
      ],
    );
    assert.equal(findForm('<form><input name=q></form>', ['user', 'pw'], 'https://example.org/'), undefined);
    assert.equal(findForm('<form action="javascript:x()"><input name=pw>', ['pw'], 'https://example.org/'), undefined);
  });
});

describe('recipes', () => {
  test('one or several; what is wrong is told', () => {
    const one = 'page: https://example.org/login\nfields: { user: anna }\n';
    const [recipe] = readLoginFile(file('one.yaml', one));
    assert.deepEqual(
      [recipe.site, recipe.page, recipe.fields],
      ['https://example.org', 'https://example.org/login', { user: 'anna' }],
    );
    assert.ok(
      recipe.avoid.test('/account/Log-out?x') && recipe.avoid.test('/signout') && !recipe.avoid.test('/blog/outdoor'),
    );
    assert.equal(
      readLoginFile(file('two.yaml', `- ${one.replaceAll('\n', '\n  ')}\n- ${one.replaceAll('\n', '\n  ')}`)).length,
      2,
    );
    for (const [text, why] of [
      ['page: /login\nfields: { a: b }', /no "page"/],
      ['page: https://example.org/', /no fields/],
      [`${one}sucess: x`, /"sucess", which means nothing/],
      [`${one}avoid: "("`, /no regular expression/],
      ['page: https://example.org/\nfields: { password: plain }', /holds the field "password" itself/],
      ['- [', /cannot be read/],
    ] as const)
      assert.throws(() => readLoginFile(file('bad.yaml', text)), { code: 'SETTING_INVALID', message: why });
  });
});

describe('odd pages with a login', () => {
  /** A web of a few addresses, which remembers what it was asked for. */
  function webOf(pages: Readonly<Record<string, string>>): Fetcher & { readonly asked: string[] } {
    const asked: string[] = [];
    return {
      asked,
      fetch: async ({ url }) => {
        asked.push(url);
        const page = pages[url] ?? '';
        const isMoved = page.startsWith('-> ');
        const head = new ReceivedHead('1.1', isMoved ? 302 : 200, '', isMoved ? ['Location', page.slice(3)] : []);
        return { kind: 'response', head, body: Buffer.from(page) } as unknown as FetchResult;
      },
      close: async () => {},
    };
  }

  const fields = { user: 'anna', password: 'secret' };
  const inputs = '<input name=user><input type=password name=password>';

  test('where a redirect has led to TLS, the form is not sent without', async () => {
    const web = webOf({
      'http://a.test/login': '-> https://a.test/login',
      'https://a.test/login': `<form method=post action="http://a.test/in">${inputs}</form>`,
    });
    const recipe = { site: 'http://a.test', page: 'http://a.test/login', fields, avoid: /(?!)/ };
    assert.deepEqual(await logIn(web, recipe), { why: 'the form would be sent without TLS' });
    assert.equal(web.asked.length, 2);
  });

  test('addresses count from the base of the page; a form without one goes to the page itself', () => {
    const html = `<base href="/app/"><form method=post action="in">${inputs}</form><form method=post><input name=pin></form>`;
    assert.equal(findForm(html, ['user'], 'https://a.test/login')?.action, 'https://a.test/app/in');
    assert.equal(findForm(html, ['user'], 'https://a.test/login', '/app/in')?.action, 'https://a.test/app/in');
    assert.equal(findForm(html, ['pin'], 'https://a.test/login')?.action, 'https://a.test/login');
  });

  test('texts are read in the encoding of the page', () => {
    const headOf = (type: string): ReceivedHead => new ReceivedHead('1.1', 200, '', ['Content-Type', type]);
    const body = Buffer.from('<meta charset="iso-8859-1"><p>D\u00e9connexion', 'latin1');
    for (const type of ['text/html; charset=windows-1252', 'text/html', ''])
      assert.match(pageText({ head: headOf(type), body }), /D\u00e9connexion/);
    assert.match(pageText({ head: headOf('text/html; charset=no-such'), body: Buffer.from('\u00e9') }), /^\u00e9$/);
    const wide = Buffer.from('\ufeff<form>', 'utf16le');
    assert.equal(pageText({ head: headOf('text/html; charset=utf-8'), body: wide }), '<form>');
    assert.equal(pageText({ head: headOf(''), body: new Uint8Array() }), '');
  });

  test('a > within quotes ends no tag', () => {
    const html = `<form onsubmit="return this.user.value.length > 0" method="post" action='/in'>
      <input type=hidden value="a>b" name="token"><input data-form="<form>" name=user><input type=password name=password></form>
      <input name=elsewhere><form action=/search><input name=q`;
    const form = findForm(html, ['user', 'password'], 'https://a.test/login');
    assert.equal(form?.action, 'https://a.test/in');
    assert.deepEqual(
      [...(form?.fields ?? [])],
      [
        ['token', 'a>b'],
        ['user', ''],
        ['password', ''],
      ],
    );
  });

  test('a page of tags that never end costs no more than its length', () => {
    assert.equal(findForm('<form action="'.repeat(140_000), ['password'], 'https://a.test/'), undefined);
    assert.equal(findForm(`<form>${'<input a="'.repeat(190_000)}`, ['password'], 'https://a.test/'), undefined);
  });
});
