import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodeUnits } from '../../../../src/base/code-units.ts';
import { fingerprint } from '../../../../src/base/fingerprint.ts';
import { fallbackText } from '../../../../src/crawl/content/fallback-text.ts';
import { FoldedText } from '../../../../src/crawl/content/folded-text.ts';
import {
  folded,
  formerDigest,
  isSameText,
  steadyTitle,
  textDigest,
} from '../../../../src/crawl/content/text-digest.ts';

test('case and white space do not count, headline and words do', () => {
  const digest = textDigest({ title: 'A lamp', text: 'It is lit\nat night.' });
  assert.equal(textDigest({ title: 'A  LAMP', text: ' it is lit at\t NIGHT. ' }), digest);
  assert.notEqual(textDigest({ title: 'A candle', text: 'It is lit\nat night.' }), digest);
  assert.notEqual(textDigest({ title: 'A lamp', text: 'It is lit at noon.' }), digest);
  assert.notEqual(
    textDigest({ title: '', text: 'A lamp It is lit at night.' }),
    digest,
    'what was text is a headline now',
  );
});

test('a text as code units has the digest of the text', () => {
  const units = new CodeUnits();
  const folding = new FoldedText();
  const plain = fc.constantFrom(...' \t\n\v\f\r\u0001\u0002\u001c\u001fabzABZ@[`{019.,');
  // Capitals of several scripts, those whose small letters depend on their neighbours or are two, marks, white space, halves of pairs.
  const peculiar = fc.constantFrom(
    ...[...'ÄßẞÉIİıΣσςСЯЖԱႠꭰⅣⒶKÅ\u0301\u0e33ไ中文ｱ\u00a0\u1680\u2003\u2028\u3000\ufeff\u200b😀𝒜𐐀𞤀\u{20000}'],
    '\ud83d',
    '\ude00',
  );
  const any = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const unit = fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 3, arbitrary: peculiar },
    { weight: 1, arbitrary: any },
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 20 }), fc.string({ unit, maxLength: 60 }), (title, text) => {
      assert.equal(textDigest({ title, text }, { units: units.of(text), folding }), textDigest({ title, text }));
    }),
    { numRuns: 3000 },
  );
});

test('every character is folded as in a string', () => {
  const units = new CodeUnits();
  const folding = new FoldedText();
  for (let code = 0; code < 0x20000; code++) {
    const text = `a ${String.fromCodePoint(code)} b${String.fromCodePoint(code)}`;
    const bytes = folding.bytes('', units.of(text), text.length);
    if (bytes !== undefined && !Buffer.from(folded(text)).equals(bytes)) assert.fail(`U+${code.toString(16)}`);
  }
});

test('texts of any length are folded', () => {
  const units = new CodeUnits();
  const folding = new FoldedText();
  for (const length of [1_000, 100_000, 1_000_000, 10]) {
    const text = '中Ä B'.repeat(length / 4);
    assert.equal(textDigest({ text }, { units: units.of(text), folding }), textDigest({ text }));
  }
});

test('what lies over the parts in which a long text is folded stays together', () => {
  const units = new CodeUnits();
  const folding = new FoldedText();
  const pieces = ['😀', ' \t ', 'é', '中', 'B ', '\ud83d', '\ude00', '\ud83d\ud83d\ude00'];
  for (let length = 16_370; length <= 16_386; length++) {
    for (const piece of pieces) {
      const text = `${'aB '.repeat(length / 3).padEnd(length, 'x')}${piece}${piece}y`;
      assert.equal(textDigest({ text }, { units: units.of(text), folding }), textDigest({ text }));
      const cut = text.slice(0, -2);
      assert.equal(textDigest({ text: cut }, { units: units.of(cut), folding }), textDigest({ text: cut }));
    }
  }
});

test('counters and clocks of titles do not count, other figures do', () => {
  for (const title of [
    '(3) Inbox',
    '[12] Inbox',
    '( 99+ ) Inbox',
    '• Inbox',
    'Inbox',
    '12:45:01 Inbox',
    'Inbox 3:07 pm',
  ])
    assert.equal(steadyTitle(title), 'Inbox');
  for (const title of ['7 dead in storm', 'Storm (2)', 'Psalm 23', '(Un)known', '* '])
    assert.equal(steadyTitle(title), title === '* ' ? '' : title);
});

test('a digest is compared with one of its own version, or with nothing', () => {
  const former = fingerprint('The text').toString(16).padStart(16, '0');
  const now = { textDigest: textDigest({ text: 'The text' }), ...formerDigest(former, 'The text') };
  assert.equal(isSameText(former, now), true);
  assert.equal(isSameText(former, { ...now, ...formerDigest(former, 'the text') }), false);
  assert.equal(isSameText(former, { textDigest: now.textDigest }), undefined);
  assert.equal(isSameText(now.textDigest, { textDigest: now.textDigest }), true);
  assert.equal(isSameText(undefined, now), undefined);
  assert.equal(isSameText(now.textDigest, {}), undefined);
  assert.deepEqual(formerDigest(now.textDigest, 'The text'), {}, 'nobody needs it');
  assert.deepEqual(formerDigest(undefined, 'The text'), {});
});

test('no digest of this version is taken for a former one', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (title, text) => {
      assert.deepEqual(formerDigest(textDigest({ title, text }), text), {});
    }),
  );
});

test('what stands for a missing text: what can be seen and where it leads, no tokens', () => {
  const url = 'http://a.test/app';
  const shell = (token: string, link = '/more') =>
    `<title>App</title><meta name=csrf content=${token}><body><div id=root data-t=${token}></div><a href="${link}?t=${token}"></a>
     <a href="/login;jsessionid=${token}"></a><form><input type=hidden value=${token}></form><script nonce=${token}>x("${token}")</script>
     <iframe src="/ad/${token}"></iframe><img src="/p/${token}.gif">`;
  assert.equal(fallbackText(shell('a'), url), fallbackText(shell('b'), url));
  assert.notEqual(fallbackText(shell('a'), url), fallbackText(shell('a', '/other'), url));
  assert.notEqual(fallbackText('<nav>One</nav>', url), fallbackText('<nav>Two</nav>', url));
});

test('folded text has no white space but single blanks between words', () => {
  const blanks = fc.array(fc.constantFrom(' ', '\n', '\t', '\u00a0', 'A', 'b', 'é'), { maxLength: 30 });
  fc.assert(
    fc.property(blanks, (parts) => {
      const text = parts.join('');
      assert.equal(folded(text), text.toLowerCase().split(/\s+/).filter(Boolean).join(' '));
    }),
  );
});
