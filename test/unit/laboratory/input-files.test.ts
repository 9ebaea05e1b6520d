import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { OrbweaverError } from '../../../src/base/errors.ts';
import { readChangeFiles } from '../../../src/laboratory/replay/change-file.ts';
import { type ChangeRecord, changesWithin, lastDays, meanPages } from '../../../src/laboratory/replay/change-record.ts';
import { readGraph } from '../../../src/laboratory/replay/graph-file.ts';
import { type RecordedGraph, RecordedGraphBuilder } from '../../../src/laboratory/replay/recorded-graph.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

const changes = (...files: string[]): Promise<ChangeRecord> => readChangeFiles(files, Readable.from([]));
const linksOf = ({ starts, targets }: RecordedGraph, page: number): number[] => [
  ...targets.subarray(starts[page], starts[page + 1]),
];

async function failure(reading: Promise<unknown>): Promise<OrbweaverError> {
  try {
    await reading;
  } catch (error) {
    assert.ok(error instanceof OrbweaverError);
    return error;
  }
  assert.fail('nothing was refused');
}

describe('change histories', () => {
  test('seconds, a heading, gzip, creation and repository-wide edits', async () => {
    const lines = [
      { site: 'a.test', end: 1_700_400_000, pages: 2 },
      { url: 'http://a.test/', created: 1_700_000_000, changes: [1_700_200_000, 1_700_100_000], bulk: [1_700_300_000] },
      { url: 'http://a.test/b', created: 1_700_150_000, changes: [1_700_150_000] },
    ];
    const file = written('a.jsonl.gz', gzipSync(lines.map((line) => JSON.stringify(line)).join('\n')));
    assert.deepEqual(await changes(file), {
      pages: [
        { url: 'http://a.test/', created: 1_700_000_000_000, changes: [1_700_100_000_000, 1_700_200_000_000] },
        { url: 'http://a.test/b', created: 1_700_150_000_000, changes: [] },
      ],
      from: 1_700_000_000_000,
      to: 1_700_400_000_000,
    });
  });

  test('milliseconds and dates; pages without creation were there all along; a page in two files is one', async () => {
    const one = written('one.jsonl', '{"url":"u","changes":[1700000000000]}\n\n{"url":"v","changes":[]}\n');
    const two = written('two.jsonl', '{"url":"u","changes":["2023-11-15T22:13:20Z"]}\n');
    const record = await changes(one, two);
    assert.deepEqual(record.pages, [
      { url: 'u', changes: [1_700_000_000_000, 1_700_086_400_000] },
      { url: 'v', changes: [] },
    ]);
    assert.equal(record.to - record.from, 86_400_000);
    assert.equal(changesWithin(record), 1, 'what happens at the very end is after it');
  });

  test('dates without a zone are UTC, wherever the machine stands', async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      const lines = '{"url":"u","created":"2026-03-05","changes":["2026-03-05T12:00:00","2026-03-06 12:00:00"]}';
      const { pages } = await changes(written('zoneless.jsonl', lines));
      assert.deepEqual(pages, [
        { url: 'u', created: Date.UTC(2026, 2, 5), changes: [Date.UTC(2026, 2, 5, 12), Date.UTC(2026, 2, 6, 12)] },
      ]);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test('what was not watched is left out', async () => {
    const lines = [
      { start: '2026-01-01', end: '2026-03-01' },
      {
        url: 'old',
        created: '2025-06-01',
        changes: ['2025-12-31', '2026-01-01', '2026-02-01', '2026-03-01', '2026-03-02'],
      },
      { url: 'late', created: '2026-04-01', changes: ['2026-05-01'] },
      { url: 'quiet', changes: ['2025-01-01'] },
    ];
    const file = written('watched.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    const record = await changes(file);
    assert.deepEqual(record, {
      pages: [
        {
          ...{ url: 'old', created: Date.UTC(2025, 5, 1) },
          changes: [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)],
        },
        { url: 'quiet', changes: [] },
      ],
      ...{ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 2, 1), outside: { changes: 4, pages: 1 } },
    });
    assert.equal(meanPages(record), 2);
    const widened = await changes(file, written('more.jsonl', '{"url":"more","changes":["2025-12-01"]}'));
    assert.equal(widened.from, Date.UTC(2025, 11, 1), 'a heading bounds its own file');
  });

  for (const [name, text, told] of [
    ['no JSON', '{"url":"u","changes":[1]}\n{oops\n', /line 2: no JSON/],
    ['no URL', '{"url":"u","changes":[1]}\n{"changes":[1]}\n', /line 2: "url"/],
    ['no list', '{"url":"u","changes":5}', /line 1: "changes" is no list/],
    ['no time', '{"url":"u","changes":[1,"never"]}', /line 1: "changes" holds "never"/],
    ['a date in words', '{"url":"u","changes":["Mar 5 2026"]}', /line 1: "changes" holds "Mar 5 2026"/],
    ['a date with slashes', '{"url":"u","changes":["7/4/2026"]}', /line 1: "changes" holds "7\/4\/2026"/],
    ['a number as text', '{"url":"u","changes":["1"]}', /line 1: "changes" holds "1"/],
    ['an end before its start', '{"start":"2026-02-01","end":"2026-01-01"}', /line 1: "end" is before "start"/],
    ['not an object', '[]', /line 1: no JSON object/],
    ['nothing', '', /no page in it/],
    ['no time at all', '{"url":"u","changes":[]}', /not a single time/],
    ['one moment', '{"url":"u","changes":[1700000000]}', /single moment/],
    ['a time beyond all dates', '{"url":"u","changes":[1e300]}', /line 1: "changes" holds 1e\+300/],
  ] as const) {
    test(`refused with line and remedy: ${name}`, async () => {
      const error = await failure(changes(written('bad.jsonl', text)));
      assert.equal(error.code, 'INPUT_INVALID');
      assert.match(error.message, told);
      assert.match(error.remedy ?? '', /"changes": \[time/);
    });
  }

  test('dates and seconds in one file; a change that is told twice is one', async () => {
    const record = await changes(
      written(
        'mixed.jsonl',
        '\ufeff{"url":"u","created":1700000000,"changes":["2023-11-16T22:13:20Z",1700086400,1700086400]}',
      ),
    );
    assert.deepEqual(record, {
      pages: [{ url: 'u', created: 1_700_000_000_000, changes: [1_700_086_400_000, 1_700_172_800_000] }],
      from: 1_700_000_000_000,
      to: 1_700_172_800_000,
    });
  });

  test('a heading says since when, until when and in what unit', async () => {
    const heading = '{"start":0,"end":864000000,"unit":"ms"}';
    const record = await changes(written('unit.jsonl', `${heading}\n{"url":"u","changes":[86400000]}`));
    assert.deepEqual(record, { pages: [{ url: 'u', changes: [86_400_000] }], from: 0, to: 864_000_000 });
  });

  test('each file has a unit of its own, but only one', async () => {
    const seconds = written('seconds.jsonl', '{"url":"u","changes":[1700000000]}');
    const ms = written('ms.jsonl', '{"url":"u","changes":[1700086400000]}');
    assert.deepEqual((await changes(seconds, ms)).pages[0].changes, [1_700_000_000_000, 1_700_086_400_000]);
    for (const [text, told] of [
      [
        '{"url":"u","changes":[1700000000]}\n{"url":"v","changes":[1700000000000]}',
        /line 2: .*milliseconds by its size/,
      ],
      ['{"url":"u","created":1700000000000,"changes":[1700000000]}', /line 1: .*the times before were/],
      ['{"unit":"days"}\n{"url":"u","changes":[1]}', /line 1: "unit" is "days"/],
    ] as const) {
      const error = await failure(changes(written('bad.jsonl', text)));
      assert.match(error.message, told);
      assert.match(error.remedy ?? '', /"unit": "ms"/);
    }
  });

  test('a file that is not there', async () => {
    assert.match((await failure(changes(join(folder.path, 'nowhere')))).message, /nowhere cannot be read/);
  });

  test('the last days of a record, and the pages there are on average', () => {
    const DAY = 86_400_000;
    const record = {
      from: 0,
      to: 10 * DAY,
      pages: [
        { url: 'a', changes: [DAY] },
        { url: 'b', created: 5 * DAY, changes: [] },
      ],
    };
    assert.equal(meanPages(record), 1.5);
    assert.equal(meanPages(lastDays(record, 5)), 2);
    assert.equal(changesWithin(lastDays(record, 5)), 0);
    assert.deepEqual(lastDays(record, 50), record);
  });
});

describe('graphs', () => {
  const read = (edges: string, nodes?: string): Promise<RecordedGraph> => readGraph(edges, nodes, Readable.from([]));

  test('edges with anchors, pages as JSON, gzip', async () => {
    const edges = written('edges.tsv.gz', gzipSync('0\t2\tthe third\n0\t1\tb\n0\t2\tagain\n1\t1\tself\n2\t0\t\n'));
    const nodes = written(
      'nodes.jsonl',
      '{"url":"http://a.test/","title":"A"}\n{"url":"http://b.test/"}\n{"url":"http://c.test/"}\n',
    );
    const graph = await read(edges, nodes);
    assert.deepEqual(graph.urls, ['http://a.test/', 'http://b.test/', 'http://c.test/']);
    assert.deepEqual(
      [0, 1, 2].map((page) => linksOf(graph, page)),
      [[2, 1], [], [0]],
    );
    assert.deepEqual(graph.anchors, ['the third', 'b', '']);
    assert.deepEqual(graph.texts, ['A', '', '']);
  });

  test('pages one to a line, blanks between, remarks', async () => {
    const graph = await read(
      written('e.txt', '# from to\n0 1\n'),
      written('n.txt', 'http://a.test/\nhttp://b.test/\n'),
    );
    assert.deepEqual(linksOf(graph, 0), [1]);
  });

  test('line breaks in the words of a link', async () => {
    const graph = await read(written('e.tsv', '0\t1\tfirst\n  second line\n\n# third\n1\t0\n'));
    assert.deepEqual([...graph.targets], [1, 0]);
    assert.equal(graph.passedOver, 3);
  });

  test('without names: numbers get addresses, URLs are numbered as they are met', async () => {
    assert.deepEqual((await read(written('e.txt', '0 3\n'))).urls.length, 4);
    const named = await read(written('e.txt', 'http://b.test/ http://a.test/\nhttp://a.test/ http://b.test/\n'));
    assert.deepEqual(named.urls, ['http://b.test/', 'http://a.test/']);
    assert.deepEqual(linksOf(named, 1), [0]);
  });

  for (const [name, edges, nodes, told] of [
    ['a number too high', '0 1\n1 2\n', 'a\nb\n', /line 2: page 2, but .* names the pages 0 to 1/],
    ['an unknown URL', 'a x\n', 'a\nb\n', /line 1: "x" is not among/],
    ['one page only', '0\n', 'a\n', /line 1: two pages/],
    ['numbers and URLs', '0 1\nhttp://a.test/ 1\n', undefined, /line 2: .* no number/],
    ['an empty name', '0 1\n', 'a\n\n', /line 2: it is empty/],
    ['a page without URL', '0 1\n', '{"url":"a"}\n{"title":"b"}\n', /line 2: "url"/],
    ['no link', '# nothing\n', undefined, /no link in it/],
  ] as const) {
    test(`refused with line and remedy: ${name}`, async () => {
      const nodesFile = nodes === undefined ? undefined : written('nodes.txt', nodes);
      const error = await failure(read(written('edges.txt', edges), nodesFile));
      assert.match(error.message, told);
      assert.ok(error.remedy !== undefined);
    });
  }

  test('a graph holds every link once, in the order in which it came', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(5))), (edges) => {
        const builder = new RecordedGraphBuilder();
        for (const [from, to] of edges) builder.add(from, to);
        const graph = builder.build(Array.from({ length: 6 }, (_, page) => `${page}`));
        for (let page = 0; page < 6; page++) {
          const own = edges.filter(([from, to]) => from === page && to !== page).map(([, to]) => to);
          assert.deepEqual(linksOf(graph, page), [...new Set(own)]);
        }
      }),
    );
  });
});
