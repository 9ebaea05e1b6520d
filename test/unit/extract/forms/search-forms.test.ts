import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { searchForms } from '../../../../src/extract/forms/search-forms.ts';
import { formUrl } from '../../../../src/seeds/forms/form-url.ts';

const BASE = 'http://a.test/dir/page?x=1';
const formsOf = (html: string) =>
  searchForms(html, (reference) => (URL.canParse(reference, BASE) ? new URL(reference, BASE).href : undefined));

describe('search forms', () => {
  test('fields of each kind, as a browser would send them', () => {
    const [form, ...others] = formsOf(`
      <form action="/search#results">
        <input type=hidden name=lang value="de &amp; fr"><input name=q><input type=checkbox name=all checked>
        <input type=checkbox name=none><input type=radio name=sort value=new><input type=radio name=sort value=old checked>
        <select name=place><option value="">All<option>Berlin &uuml;ber <b>alles</b></option><option value=p>Paris</select>
        <select name=many multiple><option>a<option>b</select>
        <input name=off disabled><input type=submit name=go value=Go><input type=submit name=other value=No>
        <button type=button name=menu>Menu</button>
      </form>`);
    assert.deepEqual(others, []);
    assert.deepEqual(form, {
      action: 'http://a.test/search',
      fields: [
        { kind: 'fixed', name: 'lang', value: 'de & fr' },
        { kind: 'text', name: 'q', value: '' },
        { kind: 'fixed', name: 'all', value: 'on' },
        { kind: 'choice', name: 'sort', values: ['new', 'old'], chosen: 'old' },
        { kind: 'choice', name: 'place', values: ['', 'Berlin über alles', 'p'], chosen: '' },
        { kind: 'choice', name: 'many', values: ['a', 'b'] },
        { kind: 'fixed', name: 'go', value: 'Go' },
      ],
    });
    assert.equal(
      formUrl(form, { q: 'a b&c', place: 'p' }),
      'http://a.test/search?lang=de+%26+fr&q=a+b%26c&all=on&sort=old&place=p&go=Go',
    );
  });

  test('names of fields are names and no more', () => {
    const [form] = formsOf('<form action=/s><input type=hidden name=constructor value=a><input name=__proto__></form>');
    assert.equal(formUrl(form, {}), 'http://a.test/s?constructor=a&__proto__=');
  });

  test('without an action it leads to the page itself', () => {
    const [form] = formsOf('<form><textarea name=words></textarea></form>');
    assert.equal(formUrl(form, { words: 'x' }), 'http://a.test/dir/page?words=x');
  });

  for (const [what, html] of [
    ['POST', '<form method=POST><input name=q></form>'],
    ['within one that is sent with POST', '<form method=post action=/a><form action=/b><input name=q></form></form>'],
    ['a password', '<form><input name=user><input type=password name=p></form>'],
    ['an address', '<form><input type=email name=newsletter></form>'],
    ['a file', '<form><input name=q><input type=file name=f></form>'],
    ['nothing to fill in', '<form><input type=hidden name=a value=b><input type=submit></form>'],
    ['fields without a name', '<form><input><select><option>a</select></form>'],
    ['another scheme', '<form action="javascript:go()"><input name=q></form>'],
    ['a comment', '<!-- <form><input name=q></form> -->'],
    ['a script', '<script>"<form><input name=q></form>"</script>'],
  ])
    test(`none: ${what}`, () => assert.deepEqual(formsOf(html), []));

  test('a form within a form is none; one without an end ends with the page', () => {
    const forms = formsOf(
      '<form action=/a><input name=q><form action=/b><input name=r></form><form action=/c><input name=s>',
    );
    assert.deepEqual(
      forms.map(({ action, fields }) => [action, fields.map(({ name }) => name)]),
      [
        ['http://a.test/a', ['q', 'r']],
        ['http://a.test/c', ['s']],
      ],
    );
  });

  test('is bounded, and never throws', () => {
    const many = '<form>'.concat('<input name=a>'.repeat(100), '</form>').repeat(50);
    const forms = formsOf(many);
    assert.ok(forms.length <= 20 && forms.every(({ fields }) => fields.length <= 50));
    const parts = [
      '<form>',
      '</form>',
      '<select name=a>',
      '<option>',
      '</select>',
      '<input name=b>',
      'text',
      '<',
      '<!--',
    ];
    fc.assert(fc.property(fc.array(fc.constantFrom(...parts)), (some) => Array.isArray(formsOf(some.join('')))));
  });
});
