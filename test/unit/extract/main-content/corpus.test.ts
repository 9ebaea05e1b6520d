import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mainContent } from '../../../../src/extract/main-content/main-content.ts';
import { type ReadText, scoreArticles, scoreStrings } from '../../../../tools/score-articles.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

const ours: ReadText = (source, url) => mainContent(source, { url }).text;
const baseline: ReadText = (source, url) => mainContent(source, { url, method: 'tag-plateau' }).text;

describe('bodies marked by people', { skip: skipWithout('article-extraction') }, () => {
  const folder = corpus('article-extraction') ?? '';

  test('are found', () => {
    const { f1, precision, recall } = scoreArticles(folder, ours);
    assert.ok(f1 >= 0.98, `F1 ${f1}, precision ${precision}, recall ${recall}`);
  });

  test('are found better than by the baseline', () => {
    const { f1 } = scoreArticles(folder, baseline);
    assert.ok(f1 > 0.8 && f1 < 0.95, `F1 ${f1}`);
  });
});

describe('strings that belong to the content', { skip: skipWithout('trafilatura-eval') }, () => {
  const folder = corpus('trafilatura-eval') ?? '';

  test('are found, and others are not; HTML and Markdown can be made of every page', () => {
    const { f1, precision, recall } = scoreStrings(folder, (source, url) => {
      const { text, html, markdown, confidence } = mainContent(source, { url });
      assert.ok(confidence === 'none' || (html !== '' && markdown !== ''), url);
      return text;
    });
    assert.ok(f1 >= 0.952, `F1 ${f1}, precision ${precision}, recall ${recall}`);
  });

  test('are found better than by the baseline', () => {
    const { f1 } = scoreStrings(folder, baseline);
    assert.ok(f1 > 0.75 && f1 < 0.92, `F1 ${f1}`);
  });
});
