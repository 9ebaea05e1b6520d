import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { isLikeTemplate, templateOf } from '../../../../src/dedupe/soft-not-found/not-found-template.ts';
import { prose } from './soft-pages.ts';

test('a template that an earlier run sketched by another method is compared by its simhash', () => {
  const text = prose(1, 400);
  const answers = [{}, { method: { shingle: 4, permutations: 200 } }].map((options) => ({
    contentSketch: new Sketcher(options).of(text)!,
    words: 400,
  }));
  const other = { contentSketch: new Sketcher().of(prose(2, 400))! };
  for (const template of answers.map((answer) => templateOf({ status: 200, ...answer }))) {
    for (const page of answers) assert.ok(isLikeTemplate(page, template));
    assert.ok(!isLikeTemplate(other, template));
  }
});
