import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { readWarc } from '../../src/archive/warc/warc-reader.ts';
import { checkFolder } from '../../src/crawl/check/check-folder.ts';
import { repairFolder } from '../../src/crawl/check/repair-folder.ts';
import { newestManifest, readManifest } from '../../src/index/store/manifest.ts';
import { checkIndex } from '../../src/search/indexing/check-index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram as orbweaver } from '../called-program.ts';
import { crawlWeb, storedPages, temporaryFolder } from '../crawl/crawl-web.ts';
import { quickOrLong } from '../property-runs.ts';
import { giveOlderForm } from '../unit/search/indexing/older-form.ts';
import {
  copyOf,
  cutEnd,
  expectedPages,
  flipByte,
  overwrite,
  pagesOfTable,
  tellingByte,
  warcsOf,
} from './damaged-folder.ts';

const SPEC = {
  hosts: 3,
  pagesPerHost: quickOrLong(6, 10),
  pageBytes: [1_000, 8_000],
  seed: 4,
  retryAfterSeconds: 0,
  crawlDelaySeconds: 0,
  slowRobotsMs: 5,
  robots: { broken: 0 },
} as const;
const quiet = (): void => {};

/** Damage of a folder, what a check says of it, and how many pages it costs. */
interface Damage {
  readonly name: string;
  readonly of: 'whole' | 'half';
  readonly do: (folder: string) => void;
  readonly codes: readonly string[];
}

const KINDS: readonly Damage[] = [
  {
    name: 'a WARC file cut at its end',
    of: 'whole',
    do: (folder) => cutEnd(warcsOf(folder)[0], 5000),
    codes: ['file-cut', 'copy-lost'],
  },
  ...quickOrLong<readonly Damage[]>(
    [],
    [
      {
        name: 'a WARC file cut in the middle',
        of: 'whole',
        do: (folder) => truncateSync(warcsOf(folder)[0], middleOf(warcsOf(folder)[0])),
        codes: ['file-cut', 'copy-lost'],
      },
      {
        name: 'a WARC file emptied',
        of: 'whole',
        do: (folder) => truncateSync(warcsOf(folder)[0], 0),
        codes: ['file-cut', 'copy-lost'],
      },
    ],
  ),
  {
    name: 'a stretch of a WARC file overwritten',
    of: 'half',
    do: (folder) => {
      const middle = middleOf(warcsOf(folder)[0]);
      overwrite(warcsOf(folder)[0], middle, Buffer.alloc(Math.floor(middle / 2), 0x5a));
    },
    codes: ['records-damaged', 'copy-lost'],
  },
  {
    name: 'a WARC file gone',
    of: 'half',
    do: (folder) => rmSync(warcsOf(folder)[0]),
    codes: ['file-gone', 'copy-lost'],
  },
  {
    name: 'a CDXJ index gone',
    of: 'whole',
    do: (folder) => rmSync(warcsOf(folder)[0].replace('.warc.gz', '.cdxj')),
    codes: ['index-missing'],
  },
  {
    name: 'a byte of a CDXJ index flipped',
    of: 'whole',
    do: (folder) => flipByte(warcsOf(folder)[0].replace('.warc.gz', '.cdxj'), 700),
    codes: ['index-wrong'],
  },
  ...quickOrLong(
    ['page', 'sqlite_schema'] as const,
    ['page', 'queue', 'seen', 'host', 'meta', 'archive_file', 'sqlite_schema'] as const,
  ).map(
    (table): Damage => ({
      name: `the pages of the table ${table} overwritten`,
      of: 'half',
      do: (folder) => {
        for (const page of pagesOfTable(folder, table).slice(0, 2))
          overwrite(join(folder, 'state.db'), (page - 1) * 4096, Buffer.alloc(4096, page % 2 === 0 ? 0 : 0xa5));
      },
      codes: ['database-damaged'],
    }),
  ),
  {
    name: 'the queue and the log of known URLs overwritten',
    of: 'half',
    do: (folder) => {
      for (const page of [...pagesOfTable(folder, 'queue'), ...pagesOfTable(folder, 'seen')])
        overwrite(join(folder, 'state.db'), (page - 1) * 4096, Buffer.alloc(4096, 0xa5));
    },
    codes: ['database-damaged'],
  },
  {
    name: 'a letter of a URL in the state changed',
    of: 'half',
    do: (folder) =>
      change(folder, "UPDATE page SET url = replace(url, 'http://', 'http://x') WHERE fp = (SELECT min(fp) FROM page)"),
    codes: ['rows-damaged'],
  },
  {
    name: 'sums and queue lengths that do not agree',
    of: 'half',
    do: (folder) =>
      change(
        folder,
        "UPDATE host SET queued = queued + 3; UPDATE meta SET value = json_set(value, '$.pages', 1) WHERE name = 'counters'",
      ),
    codes: ['queue-length', 'sums'],
  },
  {
    name: 'rows of the queue deleted',
    of: 'half',
    do: (folder) => change(folder, 'DELETE FROM queue WHERE ord IN (SELECT ord FROM queue ORDER BY ord LIMIT 5)'),
    codes: ['url-lost', 'queue-length'],
  },
];

function middleOf(path: string): number {
  return Math.floor(statSync(path).size / 2);
}

/** But for the files that SQLite has open. */
function namesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort();
}

/** Links that are refused more often than the sums say: judged anew, they would leave less than nothing. */
function uncountedRefusals(folder: string): unknown[] {
  const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  const rows = db
    .prepare(`SELECT by, count(*) AS rows FROM refusal GROUP BY by HAVING rows >
      coalesce((SELECT value ->> ('$.refused.' || by) FROM meta WHERE name = 'counters'), 0)`)
    .all();
  db.close();
  return rows;
}

function change(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, 'state.db'));
  db.exec(sql);
  db.close();
}

describe('a damaged folder', () => {
  const folders = temporaryFolder();
  let web: WebServer;
  let expected: string[];
  const original = { whole: join(folders.path, 'whole'), half: join(folders.path, 'half') };

  before(async () => {
    web = await startSyntheticWeb(SPEC);
    expected = expectedPages(web);
    await crawlWeb(web, original.whole);
    await crawlWeb(web, original.half, { maxPages: quickOrLong(8, 14) });
  });
  after(async () => {
    await web[Symbol.asyncDispose]();
    folders[Symbol.dispose]();
  });

  test('is told from a sound one', async () => {
    for (const folder of Object.values(original)) assert.deepEqual((await checkFolder(folder, quiet)).problems, []);
  });

  for (const { name, of, do: damage, codes } of KINDS) {
    test(`${name}: it is told, repaired, and the crawl ends with every page`, async () => {
      const folder = copyOf(original[of], join(folders.path, 'damaged'));
      try {
        damage(folder);
        const said = await checkFolder(folder, quiet);
        for (const code of codes)
          assert.ok(
            said.problems.some((problem) => problem.code === code),
            `${code} in ${JSON.stringify(said.problems)}`,
          );
        const repaired = await repairFolder(folder, quiet);
        assert.deepEqual(repaired.remaining, []);
        assert.ok(existsSync(join(folder, 'state.db.damaged')));
        assert.deepEqual(uncountedRefusals(folder), []);
        const files = namesIn(folder);
        assert.deepEqual((await checkFolder(folder, quiet)).problems, []);
        assert.deepEqual((await repairFolder(folder, quiet)).done, []);
        assert.deepEqual(namesIn(folder), files, 'a second repair changes nothing');
        await crawlWeb(web, folder);
        assert.deepEqual(storedPages(folder), expected);
        assert.deepEqual((await checkFolder(folder, quiet)).problems, []);
        for (const warc of warcsOf(folder))
          for await (const item of readWarc(warc)) assert.equal(item.kind, 'record', JSON.stringify(item));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  test('a byte flipped anywhere in a WARC file where it says something is found, and costs no more than the records it lies in', async () => {
    const bytes = statSync(warcsOf(original.whole)[0]).size;
    for (let part = 1; part < 8; part += quickOrLong(4, 2)) {
      const folder = copyOf(original.whole, join(folders.path, `flipped-${part}`));
      const [warc] = warcsOf(folder);
      flipByte(warc, tellingByte(warc, Math.floor((bytes * part) / 8)));
      const { problems } = await checkFolder(folder, quiet);
      assert.ok(
        problems.some(({ code }) => code === 'records-damaged'),
        JSON.stringify(problems),
      );
      const { remaining } = await repairFolder(folder, quiet);
      assert.deepEqual(remaining, []);
      assert.equal(statSync(warcsOf(folder)[0]).size, bytes, 'what is whole keeps its place');
      assert.deepEqual((await checkFolder(folder, quiet)).problems, []);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('what is lost is referred to by nothing, and where it was found is kept', async () => {
    const folder = copyOf(original.whole, join(folders.path, 'references'));
    const found = 'SELECT url, depth, how, hex(via) AS via, found_at FROM page ORDER BY url';
    const before = rows(folder, found);
    const stored = new Set(storedPages(folder));
    rmSync(warcsOf(folder)[0]);
    await repairFolder(folder, quiet);
    assert.deepEqual(rows(folder, found), before);
    assert.equal(rows(folder, 'SELECT 1 FROM digest').length, 0);
    assert.equal(rows(folder, 'SELECT 1 FROM likeness').length, 0);
    assert.equal(rows(folder, 'SELECT 1 FROM page WHERE facts IS NOT NULL').length, 0);
    assert.equal(rows(folder, 'SELECT 1 FROM archive_file').length, 0);
    for (const { url, history } of rows(folder, 'SELECT url, history FROM page'))
      if (stored.has(String(url))) assert.match(String(history), /its copy in the archive was lost/);
  });

  test('an index that is damaged is made again', async () => {
    const folder = copyOf(original.whole, join(folders.path, 'indexed'));
    const { total } = await followCrawl(folder, { mode: 'catch-up' });
    assert.deepEqual(checkIndex(folder).problems, []);
    const segment = (part: string): string => {
      // The newest: what an index that was replaced has left is swept by the next writer.
      const manifest = readManifest(join(folder, 'index'), newestManifest(join(folder, 'index')));
      return join(folder, 'index', `${manifest.segments[0].name}.${part}`);
    };
    for (const damage of [
      () => rmSync(segment('strings')),
      () => cutEnd(segment('postings'), 10),
      () => cutEnd(segment('documents'), 10),
      () => truncateSync(join(folder, 'index', 'links', 'links.db'), 5000),
    ]) {
      damage();
      assert.notDeepEqual(checkIndex(folder).problems, []);
      const { status, stdout } = await orbweaver(['check', '--repair', '--json', '--dir', folder]);
      assert.equal(status, 0, stdout);
      assert.equal(JSON.parse(stdout).documents, total);
      assert.deepEqual(checkIndex(folder).problems, []);
    }
  });

  test('an index of an older form is told beside what else is found, and made anew by a repair or a crawl', async () => {
    const folder = copyOf(original.whole, join(folders.path, 'outdated'));
    const { total } = await followCrawl(folder, { mode: 'catch-up' });
    giveOlderForm(folder);
    const said = await orbweaver(['check', '--json', '--dir', folder]);
    assert.equal(said.status, 8, said.stderr);
    const { problems, pages, records } = JSON.parse(said.stdout);
    assert.deepEqual(
      problems.map(({ code }: { code: string }) => code),
      ['index-outdated'],
    );
    assert.ok(problems[0].what.includes(`orbweaver index --rebuild --dir ${folder}`));
    assert.ok(pages > 0 && records > 0, 'state and archive were looked at');
    const repaired = await orbweaver(['check', '--repair', '--json', '--dir', folder]);
    assert.equal(repaired.status, 0, repaired.stderr);
    assert.equal(JSON.parse(repaired.stdout).documents, total);
    giveOlderForm(folder);
    const crawled = await orbweaver(['crawl', '--quiet', '--dir', folder]);
    assert.match(crawled.stderr, /^The search index has an older form: it is rebuilt\.$/m);
    assert.doesNotMatch(crawled.stderr, /not complete/);
    assert.deepEqual(checkIndex(folder).problems, []);
    assert.equal(checkIndex(folder).documents, total);
  });

  test('the commands: exit codes, words, and the remedy of a crawl', async () => {
    const folder = copyOf(original.half, join(folders.path, 'commands'));
    truncateSync(warcsOf(folder)[0], middleOf(warcsOf(folder)[0]));
    const crawl = await orbweaver(['crawl', '--dir', folder]);
    assert.equal(crawl.status, 3);
    assert.match(crawl.stderr, new RegExp(`FOLDER_CORRUPT.*orbweaver check --repair --dir ${folder}\n`, 's'));
    const said = await orbweaver(['check', '--dir', folder]);
    assert.equal(said.status, 8);
    assert.match(said.stdout, /of the state ha(?:s|ve) no readable copy.*orbweaver check --repair --dir/s);
    assert.ok(!existsSync(join(folder, 'state.db.damaged')), 'a check changes nothing');
    const repaired = await orbweaver(['check', '--repair', '--dir', folder]);
    assert.equal(repaired.status, 0, repaired.stderr);
    assert.match(repaired.stdout, /queued again.*Repaired\. The crawl goes on.*orbweaver crawl --dir/s);
    assert.equal((await orbweaver(['check', '--dir', folder])).status, 0);
  });

  test('is not looked at while a crawl runs', async () => {
    const folder = copyOf(original.half, join(folders.path, 'running'));
    const { createCrawl } = await import('../../src/index.ts');
    await using _crawl = await createCrawl({ folder, allowPrivate: true });
    for (const args of [['check'], ['check', '--repair']]) {
      const { status, stderr } = await orbweaver([...args, '--dir', folder]);
      assert.equal(status, 3);
      assert.match(stderr, /FOLDER_IN_USE/);
    }
  });
});

function rows(folder: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}
