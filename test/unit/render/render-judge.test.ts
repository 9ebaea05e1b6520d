import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderSigns } from '../../../src/contracts/content/renderer.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { LearningJudge } from '../../../src/render/render-judge.ts';

const NOTHING = { links: 0, words: 0 };
const signs = (path: string, strong = '', scripts = 's'): RenderSigns => ({
  ...{ url: `https://a.test${path}` as CanonicalUrl, strong, scripts },
});

async function show(judge: LearningJudge, page: RenderSigns, gain = NOTHING): Promise<boolean> {
  const { render } = await judge.judge(page);
  if (render) judge.learn(page, gain);
  return render;
}

test('samples of a kind decide on the rest, and one is looked at again later', async () => {
  const judge = new LearningJudge();
  let rendered = 0;
  for (let at = 0; at < 100; at++) if (await show(judge, signs(`/news/${at}`))) rendered++;
  assert.ok(rendered >= 4 && rendered <= 8, `${rendered}`);
});

test('a kind that rendering brings something to is rendered', async () => {
  const judge = new LearningJudge();
  for (let at = 0; at < 20; at++) assert.ok(await show(judge, signs(`/app/${at}`), { links: 3, words: 0 }));
  assert.ok(await show(judge, signs('/app/99'), { links: 0, words: 500 }));
});

test('known scripts cost further patterns one sample each', async () => {
  const judge = new LearningJudge();
  for (let at = 0; at < 10; at++) await show(judge, signs(`/a/${at}`));
  for (let at = 0; at < 10; at++) await show(judge, signs(`/b/${at}`));
  const further = await Promise.all([show(judge, signs('/c/1')), show(judge, signs('/d/1'))]);
  assert.deepEqual(further, [true, true]);
  assert.equal(await show(judge, signs('/c/2')), false);
});

test('sure signs count until samples speak against them', async () => {
  const judge = new LearningJudge();
  const seen: boolean[] = [];
  for (let at = 0; at < 6; at++) seen.push(await show(judge, signs(`/x/${at}`, 'few words')));
  assert.deepEqual(seen, [true, true, true, false, false, false]);
});

test('pages of a kind wait for the samples that are under way', async () => {
  const judge = new LearningJudge();
  const samples = [1, 2, 3].map((at) => signs(`/p/${at}`));
  for (const sample of samples) assert.ok((await judge.judge(sample)).render);
  const fourth = judge.judge(signs('/p/4'));
  judge.learn(samples[0], NOTHING);
  judge.learn(samples[1], NOTHING);
  judge.learn(samples[2], NOTHING);
  assert.equal((await fourth).render, false);
});

test('kinds that fail in the browser are left alone for a while', async () => {
  const judge = new LearningJudge();
  let tried = 0;
  for (let at = 0; at < 30; at++) {
    const page = signs(`/crash/${at}`, 'few words');
    if (!(await judge.judge(page)).render) continue;
    tried++;
    judge.fail(page);
  }
  assert.equal(tried, 3);
});

test('what was learnt outlives the process', async () => {
  const judge = new LearningJudge();
  for (let at = 0; at < 10; at++) await show(judge, signs(`/news/${at}`));
  const again = new LearningJudge(JSON.parse(JSON.stringify(judge.snapshot())));
  assert.equal((await again.judge(signs('/news/11'))).render, false);
});
