import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compileSet } from '../../../../src/extract/rules/compile-rules.ts';
import { RuleEvaluator, type TriedSet } from '../../../../src/extract/rules/evaluate-rules.ts';
import { parseRules } from '../../../../src/extract/rules/parse-rules.ts';
import { LISTING_RULES, listingPage, PRODUCT_RULES, productPage, REFERENCE_RULES, referencePage } from './templates.ts';

/** More than any page here takes; those that are to be ended have a limit of their own. */
const AMPLE_MS = 60_000;

async function tried(
  rules: string,
  html: string,
  url = 'https://shop.example/product/1',
  maxMs = AMPLE_MS,
): Promise<TriedSet> {
  const sets = await parseRules(rules, () => {});
  const [one] = new RuleEvaluator(maxMs).try(sets.map(compileSet), { url, html });
  return one;
}

describe('rules on page templates', () => {
  test('a product page gives one typed row', async () => {
    const html = productPage({ sku: 'L-100', name: 'Desk Lamp', price: '1299.50', stock: 12 });
    const { rows, problem } = await tried(PRODUCT_RULES, html);
    assert.equal(problem, undefined);
    assert.deepEqual(rows, [
      {
        sku: 'L-100',
        name: 'Desk Lamp',
        brand: 'Lumen & Co',
        price: 1299.5,
        rating: 4.6,
        reviews: 128,
        available: true,
        stock: 12,
        images: ['https://shop.example/img/L-100-1.jpg', 'https://shop.example/img/L-100-2.jpg'],
        weight: 2.5,
        released: '2025-10-19',
        description: '<div class="description"><p>A <em>lamp</em>.</p></div>',
        colour: 'unknown',
      },
    ]);
  });

  test('a listing gives one row for each item, against its base', async () => {
    const html = listingPage([
      { path: '2026/a', title: 'First <i>light</i>', day: '2026-01-02', comments: 1204 },
      { path: '/b', title: 'Second', day: '2026-01-03' },
    ]);
    const { rows } = await tried(LISTING_RULES, html, 'https://news.example/news');
    assert.deepEqual(rows, [
      {
        link: 'https://cdn.example/news/2026/a',
        title: 'First light',
        published: '2026-01-02T06:30:00.000Z',
        authors: ['Ada', 'Grace'],
        comments: 1204,
        direct: 'First light',
      },
      {
        link: 'https://cdn.example/b',
        title: 'Second',
        published: '2026-01-03T06:30:00.000Z',
        authors: ['Ada', 'Grace'],
        comments: 0,
        direct: 'Second',
      },
    ]);
  });

  test('an API reference gives one row for each function', async () => {
    const { rows } = await tried(REFERENCE_RULES, referencePage(), 'https://docs.example/lamp.html');
    assert.deepEqual(rows, [
      {
        id: 'lamp.dim',
        name: 'dim',
        parameters: ['level: int = 5', 'slow: bool = False'],
        required: 0,
        summary: 'Dims the lamp.',
        deprecated: null,
        anchor: 'https://docs.example/lamp.html#lamp.dim',
      },
      {
        id: 'lamp.off',
        name: 'off',
        parameters: null,
        required: 0,
        summary: 'Turns it off.',
        deprecated: '2.0',
        anchor: 'https://docs.example/lamp.html#lamp.off',
      },
    ]);
  });

  test('what finds nothing says why, and a row without a required field is left out', async () => {
    const rules = `a: { fields: { x: { css: .x, required: true }, n: { css: h1, type: number }, r: { css: h1, regex: '[0-9]+' }, l: { css: h1, attribute: href } } }`;
    const { rows, found, tried: fields } = await tried(rules, '<h1>Title</h1>');
    assert.deepEqual(rows, []);
    assert.deepEqual(found, []);
    assert.deepEqual(
      fields.map(({ why }) => why),
      [
        'css .x selects nothing; the field is required, so the row is left out',
        '"Title" is no number',
        'the regular expression [0-9]+ matches nothing of what was selected',
        'css h1 selects nothing with the attribute href',
      ],
    );
  });

  test('addresses of scripts are no URLs', async () => {
    const { rows } = await tried(
      'a: { fields: { l: { css: a, attribute: href, type: url, many: true } } }',
      '<a href="javascript:x()">x</a><a href="DATA:,x">x</a><a href=y>y</a>',
    );
    assert.deepEqual(rows, [{ l: ['https://shop.example/product/y'] }]);
  });
});

describe('hostile pages', () => {
  test('deep nesting, a huge attribute and broken markup are read', async () => {
    const rules = `a: { fields: { last: { css: b i }, long: { css: "#a", attribute: title }, deep: { xpath: "string(//i)" }, markup: { css: "#a", take: markup } } }`;
    const html = `${'<div><b>'.repeat(20_000)}<i>end</i></b><p id=a title="${'x'.repeat(2 ** 20)}">`;
    const { rows, problem } = await tried(rules, html);
    assert.equal(problem, undefined);
    assert.equal(rows[0].last, 'end');
    assert.equal(rows[0].deep, 'end');
    assert.equal(String(rows[0].long).length, 100_000, 'long values are cut');
  });

  test('a regular expression that would take for ever is ended, and the next page is read', async () => {
    const sets = (await parseRules(`a: { fields: { x: { css: p, regex: '^(a+)+$' } } }`, () => {})).map(compileSet);
    const evaluator = new RuleEvaluator(50);
    const page = (text: string) => ({ url: 'https://a.example/', html: `<p>${text}` });
    const [slow] = evaluator.evaluate(sets, page(`${'a'.repeat(60)}!`));
    assert.match(slow.problem ?? '', /took more than 50 ms/);
    assert.deepEqual(slow.rows, []);
    const [quick] = new RuleEvaluator(AMPLE_MS).evaluate(sets, page('aaa'));
    assert.deepEqual(quick.rows, [{ x: 'aaa' }]);
  });

  test('selectors that look at every pair of elements are ended, too', async () => {
    const html = '<div>'.repeat(400) + '<p></p>'.repeat(3000);
    for (const rule of ['css: "nav div div div div div p"', 'xpath: "//p[count(//p[count(//p) = 1]) = 1]"']) {
      const { problem } = await tried(`a: { fields: { x: { ${rule} } } }`, html, undefined, 50);
      assert.match(problem ?? '', /took more than/);
    }
  });

  test('too many elements, and too many rows, are told', async () => {
    const many = await tried('a: { fields: { x: p } }', '<p>'.repeat(400_000));
    assert.match(many.problem ?? '', /more than 300000 elements and texts/);
    const rows = await tried('a: { each: p, fields: { x: "b" } }', '<p><b>1</b>'.repeat(10_050));
    assert.equal(rows.rows.length, 10_000);
    assert.match(rows.problem ?? '', /more than 10000/);
  });

  test('no markup makes it throw, and the same page gives the same rows', async () => {
    const sets = (await parseRules(PRODUCT_RULES + LISTING_RULES + REFERENCE_RULES, () => {})).map(compileSet);
    const evaluator = new RuleEvaluator(AMPLE_MS);
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(
          '<article class=post>',
          '<h1>',
          '<table class=specs><tr><th>Weight<td>',
          '</p>',
          '<svg><a href=x>',
          '<template>',
          '<base href="::">',
          '<script type="application/ld+json">{"@type":"Product","sku":',
          '</script>',
          '<dl class=function>',
          '<!--',
          ']]>',
          '&#0;',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const page = { url: 'https://a.example/news', html: parts.join('') };
        assert.deepEqual(evaluator.evaluate(sets, page), evaluator.evaluate(sets, page));
      }),
      { numRuns: 60 },
    );
  });
});
