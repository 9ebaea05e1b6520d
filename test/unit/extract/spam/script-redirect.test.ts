import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scriptRedirect } from '../../../../src/extract/spam/script-redirect.ts';

describe('scriptRedirect', () => {
  for (const script of [
    'location="http://a.b/"',
    "window.location.href = 'http://a.b/';",
    'document.location.replace("http://a.b/")',
    'top.location.assign(`http://a.b/`)',
    'self["location"]["href"] = "http://a.b/"',
    '(function(){ location = "http://a.b/"; })();',
    '!function(){ location = "http://a.b/" }()',
    'window.onload = go; function go() { location.href = "http://a.b/" }',
    'function go() { location.href = "http://a.b/" } setTimeout(go, 100);',
    'setTimeout("location.href=\'http://a.b/\'", 500)',
    'setTimeout(() => { location.href = "http://a.b/" }, 0)',
    'document.addEventListener("DOMContentLoaded", function () { location = "http://a.b/" })',
    'const u = "http://a.b/"; if (true) { window.location = u }',
    `eval(atob("${Buffer.from('location="http://a.b/"').toString('base64')}"))`,
    `eval(String.fromCharCode(${[...'location="http://a.b/"'].map((letter) => letter.charCodeAt(0)).join(',')}))`,
    String.raw`window["\x6c\x6fcation"]="http://a.b/"`,
  ]) {
    test(`leads away: ${script.slice(0, 70)}`, () => assert.equal(scriptRedirect(script)?.target, 'http://a.b/'));
  }

  for (const script of [
    'if (location.href == "http://a.b/") start();',
    'var here = location.href;',
    'player.location = "http://a.b/"',
    'function buy() { location.href = "http://a.b/" }',
    'button.onclick = function () { location.href = "http://a.b/" }',
    'button.addEventListener("click", () => { location.href = "http://a.b/" })',
    'setTimeout(function () { location.href = "http://a.b/" }, 10000)',
    'top.location = self.location',
    'var data = {"allocation":"http://a.b/"}',
  ]) {
    test(`stays: ${script.slice(0, 70)}`, () => assert.equal(scriptRedirect(script), undefined));
  }

  // Each of these took minutes for a megabyte before; quadratic time would keep this test from ever ending.
  for (const [what, script, target] of [
    ['white space', `location${' '.repeat(400_000)}`, undefined],
    [
      'white space after a timer',
      `setTimeout(function () { location = "http://a.b/" }${' '.repeat(400_000)}`,
      'http://a.b/',
    ],
    ['a chain of names', `${'window. '.repeat(100_000)}`, undefined],
    ['many places in functions', 'function f() { location.replace("http://a.b/") }\n'.repeat(20_000), undefined],
    ['nested functions', `${'function f() {'.repeat(40_000)} location = "http://a.b/"`, undefined],
  ]) {
    test(`ends soon: ${what}`, () => assert.equal(scriptRedirect(script ?? '')?.target, target));
  }

  test('tells who asks where the reader comes from, and who hides it', () => {
    const asked = scriptRedirect('if (/google/.test(document.referrer)) { location = "http://a.b/" }');
    assert.deepEqual(asked, { target: 'http://a.b/', byReferrer: true, veiled: false });
    assert.equal(scriptRedirect('eval(unescape("%6c%6fcation=%22http://a.b/%22"))')?.veiled, true);
  });
});
