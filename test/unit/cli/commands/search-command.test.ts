import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Command } from 'commander';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { addSearchCommand } from '../../../../src/cli/commands/search-command.ts';
import { formatHits } from '../../../../src/cli/output/show-hits.ts';
import type { SearchAnswer, SearchHit } from '../../../../src/contracts/search-service.ts';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../../src/index/segment-index.ts';

const HIT: SearchHit = {
  id: 'https://a.example/x y',
  url: 'https://a.example/x\u001b]8;;y',
  title: [
    { text: 'An \u001b[31mevil\u0007 ', match: false },
    { text: 'title', match: true },
  ],
  snippet: [{ text: 'Some \u009b31m text \u202e here', match: false }],
  host: 'a.example',
  mediaType: 'text/html',
  language: 'en',
  date: Date.UTC(2026, 4, 4),
  fetchedAt: 0,
  score: 1,
  similar: 2,
  moreFromHost: 3,
};

const ANSWER: SearchAnswer = {
  query: 'title',
  page: 1,
  perPage: 10,
  total: 123_456,
  exact: false,
  ms: 4,
  hits: [HIT],
  suggestion: 'tit\u001ble',
  dropped: ['x\u0000y'],
  notes: [],
  facets: { host: [{ value: 'a.example', count: 3 }], language: [], type: [], year: [] },
};

describe('hitsInWords', () => {
  it('lets no control character of a stranger through', () => {
    for (const terminal of [false, true]) {
      const text = formatHits(ANSWER, { terminal, facets: true, scores: [] });
      // Our own sequences aside, nothing is left but text and line ends.
      const rest = text.replace(/\u001b\[(?:1|2|22)m|\u001b\]8;;[\x21-\x7e]*?\u001b\\/g, '');
      assert.doesNotMatch(rest, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      assert.equal(terminal, text.includes('\u001b[1mtitle\u001b[22m'));
    }
  });

  it('tells how many, what was meant and what was folded', () => {
    const text = formatHits(ANSWER, { terminal: false, facets: true, scores: [] });
    assert.match(text, /^About 120000 results/);
    assert.match(text, /Did you mean: tit le/);
    assert.match(text, /2026-05-04 · 2 nearly the same · 3 more from a\.example/);
    assert.match(text, /site +a\.example 3/);
    const said = (withAllWords: number) =>
      formatHits({ ...ANSWER, exact: true, total: 7, withAllWords }, { terminal: false, facets: false, scores: [] });
    assert.match(said(7), /^7 results with all words/);
    assert.match(said(2), /^7 results, 2 with all words, the others with some/);
    assert.match(said(0), /^7 results with some of the words, none with all/);
    const nothing = { ...ANSWER, total: 0, exact: true, hits: [] };
    assert.match(formatHits(nothing, { terminal: false, facets: false, scores: [] }), /^Nothing found\./);
  });
});

describe('search', () => {
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'search-command-'));
    await using index = await openSegmentIndex({
      folder: join(folder, 'index'),
      analyze: createAnalyzer().analyze,
    });
    const facts = { host: '', mediaType: '', language: '', date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank: 0 };
    const rest = { headings: '', description: '', anchors: [], facts };
    index.add({ id: 'one', title: 'Owls', body: 'An owl hunts at night.', ...rest });
    index.add({ id: 'number two', title: 'Cats', body: 'A cat hunts by day.', ...rest });
    for (const id of ['a', 'b', 'c']) index.add({ id, title: 'Butterflies', body: '', ...rest });
    await index.commit();
  });

  after(async () => await rm(folder, { recursive: true }));

  async function run(...args: string[]): Promise<string> {
    const program = new Command().exitOverride();
    addSearchCommand(program);
    const { write } = process.stdout;
    let output = '';
    process.stdout.write = ((text: string) => {
      output += text;
      return true;
    }) as typeof write;
    try {
      await program.parseAsync(['search', ...args, '--dir', folder], { from: 'user' });
    } finally {
      process.stdout.write = write;
    }
    return output;
  }

  const fails = async (code: string, ...args: string[]) =>
    await assert.rejects(run(...args), (error) => error instanceof OrbweaverError && error.code === code);

  it('prints hits, as text and as JSON', async () => {
    assert.match(await run('hunts', '-cat'), /^1 result .*\n\n 1\. Owls\n {4}one/);
    const answer = JSON.parse(await run('owl', '--json', '--explain-score'));
    assert.equal(answer.hits[0].id, 'one');
    assert.ok(answer.hits[0].explained.value > 0);
  });

  it('runs a correction and says so, but not with --exact', async () => {
    const corrected = await run('buterflies', '--explain-score');
    assert.match(corrected, /^3 results .*\nShowing results for: butterflies \(--exact searches for: buterflies\)\n/);
    assert.match(corrected, /score/);
    assert.equal(JSON.parse(await run('buterflies', '--json')).correctedQuery, 'butterflies');
    assert.match(await run('buterflies', '--exact'), /^Nothing found\.\nDid you mean: butterflies\n/);
  });

  it('takes a quoted query that begins with a flag, and refuses an option that it does not know', async () => {
    assert.match(await run('--night owl'), /^1 result with all words .*\n\n 1\. Owls/);
    await fails('SETTING_UNKNOWN', 'owl', '--night');
  });

  it('prints Nothing found and a suggestion', async () => {
    assert.match(await run('zyzzyva'), /^Nothing found\./);
  });

  it('prints a TREC run', async () => {
    const queries = join(folder, 'queries.jsonl');
    await writeFile(queries, '{"id": 7, "text": "owl (hunts)"}\n\n{"id": "q8", "text": "zyzzyva"}\n');
    const lines = (await run('--queries', queries, '--trec-run', '--run-tag', 'mine')).trimEnd().split('\n');
    assert.match(lines[0], /^7 Q0 one 1 \d+\.\d{6} mine$/);
    assert.match(lines[1], /^7 Q0 number_two 2 \d+\.\d{6} mine$/);
    assert.equal(lines.length, 2);
  });

  it('refuses what it cannot read', async () => {
    const broken = join(folder, 'broken.jsonl');
    await writeFile(broken, '{"id": 7}\n');
    await fails('USAGE');
    await fails('USAGE', '--trec-run');
    await fails('SETTING_UNKNOWN', 'owl', '--bogus');
    await fails('USAGE', 'owl', '--page', '0');
    await fails('INPUT_INVALID', '--trec-run', '--queries', broken);
    await fails('INPUT_INVALID', '--trec-run', '--queries', join(folder, 'absent.jsonl'));
  });
});
