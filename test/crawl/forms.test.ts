import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { callProgram } from '../called-program.ts';
import { FormCatalogue } from '../form-catalogue.ts';
import { quickOrLong } from '../property-runs.ts';
import { temporaryFolder } from './crawl-web.ts';

const RECORDS = quickOrLong(150, 1000);

async function crawl(
  folder: string,
  { host }: FormCatalogue,
  settings: Partial<CreateCrawlSettings> = {},
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const quick = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', softNotFound: false } as const;
  await using run = await createCrawl({
    folder,
    seeds: [`http://${host}/`],
    allowPrivate: true,
    ...quick,
    ...settings,
  });
  let settled = 0;
  run.on('settled', () => {
    if (++settled === stopAfter) run.stop();
  });
  return await run.run();
}

describe('pages that only a form leads to', () => {
  test('are found where the host is named: first by choices, then by words of the site', async (context) => {
    await using catalogue = await FormCatalogue.start(RECORDS);
    using folder = temporaryFolder();
    await crawl(folder.path, catalogue, { forms: [catalogue.host] });
    const { questions, records } = catalogue;
    context.diagnostic(`${records} of ${RECORDS} records with ${questions.length} requests`);
    assert.ok(records >= 0.9 * RECORDS, `${records} of ${RECORDS} records with ${questions.length} requests`);
    assert.ok(questions.length <= 300, `${questions.length} requests`);
    assert.equal(new Set(questions).size, questions.length, 'nothing is asked twice');
    assert.deepEqual(
      questions.slice(0, 9).filter((path) => /q=./.test(path)),
      [],
      'choices come first',
    );
    assert.ok(!catalogue.asked.some((path) => /subscribe|order/.test(path)), 'other forms are left alone');
    const { stdout } = await callProgram(['explain', `http://${catalogue.host}${questions[3]}`, '--dir', folder.path]);
    assert.match(stdout, /form/);
  });

  test('nowhere else', async () => {
    await using catalogue = await FormCatalogue.start(20);
    using folder = temporaryFolder();
    await crawl(folder.path, catalogue, { forms: ['other.example', '*.example'] });
    assert.deepEqual(catalogue.questions, []);
  });

  test('a limit ends it; a crawl that was stopped goes on where it was', async () => {
    await using catalogue = await FormCatalogue.start(100);
    using folder = temporaryFolder();
    const settings = { forms: [catalogue.host], formRequests: 25, scope: 'any' } as const;
    for (let run = 0; run < 3; run++) await crawl(folder.path, catalogue, settings, 12);
    await crawl(folder.path, catalogue, settings);
    const { questions } = catalogue;
    assert.equal(questions.length, 25);
    assert.ok(!catalogue.asked.some((path) => path.includes('elsewhere?')), 'a form that leads to another host');
    assert.equal(new Set(questions).size, 25);
  });
});
