import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { SpamSign } from '../../../../src/contracts/content/spam.ts';
import { mainContent } from '../../../../src/extract/main-content/main-content.ts';
import { pageMetadata } from '../../../../src/extract/metadata/page-metadata.ts';
import { pageSpamSigns } from '../../../../src/extract/spam/page-signs.ts';
import { combineSigns, SPAM_FROM } from '../../../../src/rank/spam/spam-score.ts';
import { corpus, skipWithout } from '../../../corpora.ts';
import { quickOrLong } from '../../../property-runs.ts';
import { type ExamplePage, HONEST_PAGES, htmlOf, SPAM_PAGES, textOf } from './page-examples.ts';

const URL_OF_PAGE = 'http://www.harbour-news.com/page.html';

function signsOf(example: ExamplePage): readonly SpamSign[] {
  return pageSpamSigns({
    source: htmlOf(example),
    url: URL_OF_PAGE,
    text: textOf(example),
    title: example.title,
    keywords: example.keywords,
    linkCount: 0,
  });
}

describe('pageSpamSigns', () => {
  test('honest: lists, tables and programs of a manual, which repeat their names', () => {
    const members = Array.from(
      { length: 26 },
      (_, at) =>
        `<tr><td><a href="m">${String.fromCharCode(97 + at).repeat(4)} of thread</a></td><td>Loom Thread</td></tr>`,
    ).join('');
    const source = `<link rel="up" href="i"><body><h1>Loom::Thread Members</h1><p>All members of a thread.</p><table>${members}</table>`;
    const content = mainContent(source, { url: URL_OF_PAGE });
    const score = (text: string) =>
      combineSigns(pageSpamSigns({ source, url: URL_OF_PAGE, text, title: 'Members', linkCount: 30 })).score;
    assert.ok(score(content.text) >= SPAM_FROM, 'the whole text would be taken for spam');
    assert.ok(score(content.prose) < SPAM_FROM);
  });

  test('honest: what the template of a reference repeats, which is signatures of links and labels', () => {
    const instance = (name: string) =>
      `<details><summary>Instance details</summary><p>Defined in <a href="m">Loom.Thread.Internal.${name}</a></p>
      <p>Methods</p><p class="src"><a href="t">${name}</a> :: <a href="t">Thread</a> -&gt; <a href="t">Loom</a></p>
      <p class="src"><a href="t">${name}All</a> :: <a href="t">Thread</a> -&gt; <a href="t">Thread</a></p></details>`;
    const members = ['Show', 'Read', 'Ord', 'Enum', 'Bits', 'Real', 'Num', 'Eq', 'Ix', 'Data'];
    const all = Array.from({ length: 5 }, () => members.map(instance).join('')).join('');
    const source = `<link rel="up" href="i"><body><h1>Loom.Thread</h1><p>Threads as the loom takes them.</p>${all}`;
    const content = mainContent(source, { url: URL_OF_PAGE });
    const title = 'Loom.Thread';
    const judged = (text: string) => pageSpamSigns({ source, url: URL_OF_PAGE, text, title, linkCount: 200 });
    assert.deepEqual(judged(content.prose), []);
    const signatures = 'Threads as the loom takes them.\n'.concat(':: -> -> ->\nDefined in\n'.repeat(60));
    assert.deepEqual(judged(signatures), [], 'lines without words, and labels');
    const stuffed = 'Threads as the loom takes them.\n'.concat('cheap thread online\nbuy now\n'.repeat(60));
    assert.ok(combineSigns(judged(stuffed)).score >= SPAM_FROM, 'labels do not hide the stuffed line beside them');
  });

  for (const [what, entry] of [
    ['an index', (name: string) => `<li>-warp-${name}<ul><li><a href="${name}">loom option</a></li></ul></li>`],
    ['a list of definitions', (name: string) => `<dt>${name}</dt><dd>Weaving year: 2001</dd>`],
    [
      'signatures',
      (name: string) => `<p>class Loom${name} extends <a href="t">Thread</a> weaves <a href="w">Warp</a></p>`,
    ],
  ] as const) {
    test(`honest: the entries of ${what}`, () => {
      const names = Array.from({ length: 200 }, (_, at) =>
        at.toString(6).replaceAll(/./g, (digit) => 'rstlnm'[+digit]),
      );
      const source = `<link rel="up" href="i"><body><h1>Looms</h1><p>All looms, by name.</p>${names.map(entry).join('')}`;
      const { prose } = mainContent(source, { url: URL_OF_PAGE });
      assert.deepEqual(pageSpamSigns({ source, url: URL_OF_PAGE, text: prose, title: 'Looms', linkCount: 200 }), []);
    });
  }

  for (const example of SPAM_PAGES) {
    test(`spam: ${example.name}`, () => {
      const signs = signsOf(example);
      assert.ok(combineSigns(signs).score >= SPAM_FROM, JSON.stringify(signs));
      for (const { weight, evidence } of signs) assert.ok(weight > 0 && weight <= 1 && evidence !== '');
    });
  }

  for (const example of HONEST_PAGES) {
    test(`honest: ${example.name}`, () => {
      const signs = signsOf(example);
      assert.ok(combineSigns(signs).score < SPAM_FROM, JSON.stringify(signs));
    });
  }

  test('bytes and text are judged alike, and the evidence tells the measure', () => {
    const example = SPAM_PAGES[0];
    const page = { url: URL_OF_PAGE, text: textOf(example), title: example.title, linkCount: 0 };
    const fromText = pageSpamSigns({ ...page, source: htmlOf(example) });
    assert.deepEqual(pageSpamSigns({ ...page, source: Buffer.from(htmlOf(example)) }), fromText);
    assert.match(fromText[0].evidence, /'hair transplant' stands \d+ times, \d+ % of \d+ words/);
  });

  test('stuffed title, keywords and alternative texts add up', () => {
    const list = 'blue widgets, cheap widgets, widgets online, widgets shop, best widgets, buy widgets, widgets sale';
    const [sign] = pageSpamSigns({
      source: Array.from({ length: 4 }, (_, at) => `<img src="${at}.jpg" alt="${list}">`).join(''),
      url: URL_OF_PAGE,
      text: 'A few words.',
      title: list,
      keywords: [...list.split(', '), ...list.split(', ')],
      linkCount: 0,
    });
    assert.equal(sign.technique, 'term-stuffing');
    assert.ok(sign.weight >= SPAM_FROM, JSON.stringify(sign));
  });

  test('no document makes it throw', () => {
    const piece = fc.constantFrom(
      ...'<style>|</style>|<script>|</script>|.a{|}|display:none|color:#fff;|background:|<div class="a" style="|">|</div>|<p>|@media {|/*|*/|location="http://x.y/"|rgb(|left:-9e9px|<meta http-equiv=refresh content="0;url=http://x.y/">|words and words|<a href="//z">|</a>|<font color=fff>|\0|ä漢字|<!--'.split(
        '|',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.string({ unit: 'binary' }), (pieces, text) => {
        for (const { weight } of pageSpamSigns({ source: pieces.join(''), url: text, text, linkCount: 0 }))
          assert.ok(weight >= 0 && weight <= 1);
      }),
    );
  });
});

describe('pages of real sites', () => {
  for (const name of ['article-extraction', 'trafilatura-eval', 'readability-pages']) {
    test(`hardly any in ${name} is taken for spam`, { skip: skipWithout(name) }, () => {
      const folder = `${corpus(name)}/html`;
      const flagged: string[] = [];
      const files = readdirSync(folder).filter((_, at) => at % quickOrLong(6, 3) === 0);
      for (const file of files) {
        const source = gunzipSync(readFileSync(`${folder}/${file}`));
        const url = 'https://www.some-site.com/article';
        const told = pageMetadata(source, { url });
        const signs = pageSpamSigns({
          ...{ source, url, text: mainContent(source, { url }).text, title: told.title?.value, linkCount: 0 },
          ...{ description: told.description?.value, keywords: told.tags.map(({ value }) => value) },
        });
        if (combineSigns(signs).score >= SPAM_FROM) flagged.push(`${file}: ${JSON.stringify(signs)}`);
      }
      // One page of these sets was broken into and carries hidden links to sellers of themes.
      assert.ok(flagged.length <= 1, flagged.join('\n'));
    });
  }
});
