import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LanguageIdentifier } from '../../../../src/extract/language/language-identifier.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

const identifier = new LanguageIdentifier();
const languageOf = (text: string): string | undefined => identifier.identify(text)?.language;

describe('LanguageIdentifier', () => {
  test('languages that share a script', () => {
    assert.equal(languageOf('The crawler asks a host only when its time has come.'), 'en');
    assert.equal(languageOf('Der Server wird erst wieder gefragt, wenn seine Zeit gekommen ist.'), 'de');
    assert.equal(languageOf('Serveren blir ikke spurt igjen før tiden er inne, og det er bra.'), 'nb');
    assert.equal(languageOf('Сервер не спрашивают, пока не пришло его время.'), 'ru');
    assert.equal(languageOf('Сервер не питають, доки не настав його час.'), 'uk');
    assert.equal(languageOf('سرور تا زمانی که نوبت آن نرسیده است پرسیده نمی‌شود'), 'fa');
    assert.equal(languageOf('यह एक वाक्य है जो हिन्दी में लिखा गया है।'), 'hi');
  });

  test('languages that their script tells', () => {
    assert.equal(languageOf('Καλημέρα κόσμε'), 'el');
    assert.equal(languageOf('これは日本語の文章です'), 'ja');
    assert.equal(languageOf('这是一个中文句子'), 'zh');
    assert.equal(languageOf('이것은 한국어 문장입니다'), 'ko');
    assert.equal(languageOf('ეს არის წინადადება'), 'ka');
    assert.equal(languageOf('នេះជាប្រយោគ'), 'km');
  });

  test('names in another script do not decide', () => {
    assert.equal(languageOf('Царь (Jiànyuán, 建元) правил долго и умер в столице.'), 'ru');
    assert.equal(languageOf('株式会社 Orbweaver の検索エンジンは速い'), 'ja');
  });

  test('what has no letters has no language', () => {
    for (const text of ['', '  ', '12 345,67 € !?', '🙂🙂', '\u0000\ufffd'])
      assert.equal(identifier.identify(text), undefined);
  });

  test('short and ambiguous texts are not called reliable', () => {
    assert.equal(identifier.identify('ok')?.reliable, false);
    const sure = identifier.identify('Wer einen Server zu oft fragt, bekommt bald keine Antwort mehr von ihm.');
    assert.equal(sure?.reliable, true);
    assert.ok(sure !== undefined && sure.confidence > 0.9 && sure.confidence <= 1);
  });

  test('only the languages asked for', () => {
    const text = 'Dette er en setning på norsk';
    assert.equal(identifier.identify(text, { among: new Set(['sv', 'de']) })?.language, 'sv');
    assert.equal(identifier.identify(text, { among: new Set(['ru']) }), undefined);
    assert.equal(identifier.identify('Καλημέρα', { among: new Set(['ru']) }), undefined);
  });

  test('only the first characters are looked at', () => {
    const text = `This is the beginning of a text in English. ${'Dies ist ein deutscher Satz. '.repeat(500)}`;
    assert.equal(identifier.identify(text, { maxLength: 40 })?.language, 'en');
    assert.equal(identifier.identify(text)?.language, 'de');
  });

  test('letters with their accents apart are the same letters', () => {
    const text = 'Žluťoučký kůň příšerně úpěl ďábelské ódy';
    assert.deepEqual(identifier.identify(text.normalize('NFD')), identifier.identify(text));
  });

  test('no text makes it throw, and every answer is a probability', () => {
    const mixed = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 300 });
    fc.assert(
      fc.property(mixed, (text) => {
        const found = identifier.identify(text);
        if (found === undefined) return;
        assert.ok(found.confidence > 0 && found.confidence <= 1);
        assert.match(found.language, /^[a-z]{2,3}$/);
      }),
    );
    identifier.identify('x'.repeat(1_000_000));
  });

  test('sentences of 75 languages', { skip: skipWithout('language') }, (context) => {
    const lines = readFileSync(join(corpus('language') as string, 'samples.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const right = new Map<string, number>();
    const all = new Map<string, number>();
    for (const line of lines) {
      const { lang, kind, text } = JSON.parse(line);
      all.set(kind, (all.get(kind) ?? 0) + 1);
      if (languageOf(text) === lang) right.set(kind, (right.get(kind) ?? 0) + 1);
    }
    const share = (kind: string): number => (right.get(kind) ?? 0) / (all.get(kind) ?? 1);
    context.diagnostic(`sentences ${share('sentence').toFixed(4)}, word pairs ${share('word-pair').toFixed(4)}`);
    assert.ok(share('sentence') >= 0.94);
    assert.ok(share('word-pair') >= 0.75);
  });
});
