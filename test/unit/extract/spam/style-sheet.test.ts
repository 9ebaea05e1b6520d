import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { areAlike, colourOf, TRANSPARENT, UNKNOWN_COLOUR } from '../../../../src/extract/spam/colour.ts';
import { type Looks, readLooks } from '../../../../src/extract/spam/looks.ts';
import { StyleSheet } from '../../../../src/extract/spam/style-sheet.ts';

const looks = (style: string): Looks | undefined => readLooks(style, 0, style.length);

describe('colours', () => {
  test('all ways to write them', () => {
    for (const [written, colour] of [
      ['#fff', 0xffffff],
      ['#fefefe', 0xfefefe],
      ['#ffffff80', 0xffffff],
      ['ffffff', 0xffffff],
      ['white', 0xffffff],
      ['rgb(255,255,254)', 0xfffffe],
      ['rgba(0, 0, 0, 0)', TRANSPARENT],
      ['hsl(0, 0%, 100%)', 0xffffff],
      ['hsl(120, 80%, 50%)', UNKNOWN_COLOUR],
      ['nonsense', undefined],
    ] as const)
      assert.equal(colourOf(written), colour, written);
  });

  test('what the eye cannot tell apart is alike', () => {
    assert.ok(areAlike(0xffffff, 0xfefefe) && areAlike(0xffffff, 0xeeeeee) && areAlike(0x000000, 0x0a0a0a));
    assert.ok(!areAlike(0xffffff, 0xcccccc) && !areAlike(0xffffff, 0xffff00) && !areAlike(0x000000, 0x333333));
    assert.ok(!areAlike(UNKNOWN_COLOUR, UNKNOWN_COLOUR));
  });
});

describe('readLooks', () => {
  test('reads what concerns the sight, and nothing else', () => {
    assert.equal(looks('border: 1px solid; cursor: pointer'), undefined);
    assert.deepEqual(looks('DISPLAY : None !important'), { shown: false });
    assert.deepEqual(looks('background: url("data:image/png;base64,AA;BB") #fff; color: red'), {
      background: UNKNOWN_COLOUR,
      colour: 0xff0000,
    });
    assert.deepEqual(looks('background: #fff none repeat'), { background: 0xffffff });
    assert.deepEqual(looks('text-indent:-999em'), { indent: -999 * 16 });
    assert.deepEqual(looks('font-size:.1em'), { fontScale: 0.1 });
    assert.deepEqual(looks('opacity:.01;position:absolute;left:-100vw'), {
      opacity: 0.01,
      positioned: true,
      moved: -1000,
    });
    assert.deepEqual(looks('clip-path:inset(50%)'), { clipped: true });
    assert.deepEqual(looks('clip:rect(0 0 0 0)'), { clipped: true });
  });
});

describe('StyleSheet', () => {
  const sheet = (css: string): StyleSheet => {
    const made = new StyleSheet();
    made.add(css);
    made.settle();
    return made;
  };
  const element = (name: string, classes = '', id = '') => ({ name, classes, id });

  test('the more specific rule counts, whatever the order', () => {
    const rules = sheet('.tab.open{display:block} .tab{display:none} #top .tab{display:inline}');
    assert.equal(rules.looksOf(element('div', 'tab'), [], 0)?.shown, false);
    assert.equal(rules.looksOf(element('div', 'tab open'), [], 0)?.shown, true);
    assert.equal(rules.looksOf(element('div', 'tab'), [element('div', '', 'top')], 1)?.shown, true);
    assert.equal(rules.mayHide(element('div', 'tab x'), [], 0), true);
    assert.equal(rules.mayHide(element('div', 'tabs'), [], 0), false);
  });

  test('other media, states of the mouse and what is not understood hide nothing', () => {
    const rules = sheet(
      '@media print{.a{display:none}} .a:hover{display:none} .a::before{opacity:0} [class=a]{display:none} @font-face{font-family:x}',
    );
    assert.equal(rules.isEmpty, true);
  });

  test('grounds that cannot be known are told', () => {
    assert.equal(sheet('.a{color:#fff}').isPartial, false);
    assert.equal(sheet('.a:hover{background:#fff}').isPartial, false);
    assert.equal(sheet('.a:not(.b){background:#333}').isPartial, true);
    assert.equal(sheet(`.a{display:none}${'.b{margin:0}'.repeat(4000)}`).isPartial, true);
  });

  test('broken sheets are read as far as they go', () => {
    for (const css of [
      '{',
      '}',
      '.a{',
      '@media {',
      '/*',
      '.a{display:none',
      '@media screen{.a{display:none}',
      '<!-- .a{}',
    ])
      sheet(css).mayHide(element('p', 'a'), [], 0);
    assert.equal(sheet('/* a { b } */ .a{display:none').mayHide(element('p', 'a'), [], 0), true);
  });
});
