import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { askedTime } from '../../../../src/cli/arguments/asked-time.ts';
import { comparedVersions } from '../../../../src/cli/arguments/compared-versions.ts';
import { formatChanges } from '../../../../src/cli/output/show-changes.ts';
import { formatDiff } from '../../../../src/cli/output/show-diff.ts';
import type { PageVersion } from '../../../../src/crawl/report/crawl-reader.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { textDiff } from '../../../../src/web/copies/text-diff.ts';
import { callProgram, type Ended } from '../../../called-program.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { SmallChangeLog } from '../../crawl/small-change-log.ts';
import { makeChangedFolder, ONCE, PAGE } from '../changed-folder.ts';

const orbweaver = (...args: string[]): Promise<Ended> => callProgram(args);

describe('orbweaver changes and diff', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  before(async () => {
    folder = temporaryFolder();
    await makeChangedFolder(folder.path);
  });
  after(() => folder[Symbol.dispose]());

  test('changes: as text, as JSON lines, as a feed, and of a part', async () => {
    const dir = ['--dir', folder.path];
    const [text, lines, feed, part] = await Promise.all([
      orbweaver('changes', ...dir),
      orbweaver('changes', '--json', ...dir),
      orbweaver('changes', '--atom', ...dir),
      orbweaver('changes', '--json', '--since', '2026-11-02', '--kind', 'gone,moved', '--limit', '1', ...dir),
    ]);
    assert.equal(
      text.stdout,
      [
        '2026-11-01 (Sunday): 2 new',
        `  08:00:00  new      ${PAGE}  "A page"`,
        `  08:00:00  new      ${ONCE}  "Steering  [31m title"`,
        '',
        '2026-11-02 (Monday): 1 changed, 1 moved, 1 gone',
        `  09:30:00  changed  ${PAGE}  "A page"`,
        '  10:00:00  gone     http://example.com/old  (HTTP 404)',
        '  11:00:00  moved    http://example.com/moved -> http://example.org/',
        '',
      ].join('\n'),
    );
    const read = lines.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      read.map(({ number }) => number),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(read[3], {
      number: 4,
      at: '2026-11-02T10:00:00.000Z',
      kind: 'gone',
      url: 'http://example.com/old',
      status: 404,
    });
    assert.match(feed.stdout, /^<\?xml[^\n]*\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/);
    assert.equal(feed.stdout.match(/<entry>/g)?.length, 5);
    // The last that fits, not the first.
    assert.deepEqual(
      part.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
      ['moved'],
    );
  });

  test('changes: where none is found, it says whether there are any at all', async () => {
    const missed = await orbweaver('changes', '--since', '2026-11-03', '--dir', folder.path);
    assert.equal(missed.stdout, 'No change was noticed.\n');
    assert.match(missed.stderr, /^The last change was noticed at 2026-11-02T11:00:00\.000Z\. Without --since/);
    using once = temporaryFolder();
    openState(once.path).close();
    for (const flags of [[], ['--since', '7d']]) {
      const { stderr } = await orbweaver('changes', ...flags, '--dir', once.path);
      assert.match(stderr, /^The log of changes is empty: .* orbweaver crawl --continuous --dir /);
    }
  });

  test('diff: the last change, other times, as JSON, and what cannot be compared', async () => {
    const dir = ['--dir', folder.path];
    const [last, json, same, one] = await Promise.all([
      orbweaver('diff', PAGE, ...dir),
      orbweaver('diff', PAGE, '--json', ...dir),
      orbweaver('diff', PAGE, '2026-11-02 09:30:00 UTC', '2026-11-04T10:00', ...dir),
      orbweaver('diff', ONCE, ...dir),
    ]);
    // The copy of the third day is the one of the second, and that of the fourth has only another advertisement.
    assert.equal(
      last.stdout,
      [
        `--- ${PAGE}  2026-11-01 08:00:00 UTC`,
        `+++ ${PAGE}  2026-11-02 09:30:00 UTC`,
        '  A page',
        '- The price of the lamp is ten coins today.',
        '+ The price of the lamp is twelve coins today.',
        '  Paragraph 0 says something that is there on every day.',
        '  Paragraph 1 says something that is there on every day.',
        '@@ 8 unchanged paragraphs @@',
        '  Paragraph 10 says something that is there on every day.',
        '  Paragraph 11 says something that is there on every day.',
        '- An end that goes.',
        '+ An end that came instead of it.',
        '',
      ].join('\n'),
    );
    const parsed = JSON.parse(json.stdout);
    assert.equal(parsed.url, PAGE);
    assert.equal(parsed.from.date, '2026-11-01T08:00:00.000Z');
    assert.equal(parsed.changed + Math.min(parsed.added, parsed.removed), 2);
    assert.match(same.stdout, /The main text is the same\./);
    assert.equal(one.status, 5);
    assert.match(one.stderr, /ONE_VERSION: Only one copy .*\n.*--continuous/);
  });
});

describe('in words', () => {
  test('times: dates, times in UTC, and how long ago', () => {
    const now = Date.UTC(2026, 10, 15, 12);
    assert.equal(askedTime('--since', '7d', now), now - 7 * 86_400_000);
    assert.equal(askedTime('--since', '1.5h', now), now - 5_400_000);
    assert.equal(askedTime('--since', '2026-11-01', now), Date.UTC(2026, 10, 1));
    assert.equal(askedTime('--since', '2026-11-01T06:00', now), Date.UTC(2026, 10, 1, 6));
    assert.equal(askedTime('--since', '2026-11-01T06:00+02:00', now), Date.UTC(2026, 10, 1, 4));
    for (const wrong of ['', '7', '7x', 'soon', '2026-99-99'])
      assert.throws(() => askedTime('--since', wrong, now), { code: 'USAGE' }, wrong);
  });

  test('changes in a terminal have colours, whatever a title says', () => {
    const log = new SmallChangeLog();
    log.add({ kind: 'new' }, 'http://a.test/', '\u001b]0;gotcha\u0007 \u202e');
    const shown = formatChanges(log.changes({}), true);
    assert.match(shown, /\u001b\[32mnew {4}\u001b\[39m/);
    assert.doesNotMatch(shown, /\u001b\]|\u0007|\u202e/);
  });

  test('a diff in a terminal marks the words', () => {
    const blocks = textDiff('The old lamp is lit at night.', 'The new lamp is lit at night.');
    const shown = formatDiff({ url: 'http://a.test/', from: 0, to: 1, blocks }, { terminal: true, context: 2 });
    assert.match(shown, /\u001b\[31m- The \u001b\[7mold\u001b\[27m lamp/);
    assert.match(shown, /\u001b\[32m\+ The \u001b\[7mnew\u001b\[27m lamp/);
  });

  test('the copies nearest to the times are compared; without times it is the last change', () => {
    const version = (date: number, changed: PageVersion['changed'], status = 200): PageVersion => ({
      ...{ file: '', offset: 0, length: 0, mediaType: 'text/html', revisit: changed === 'same' },
      date,
      changed,
      status,
    });
    const at = { url: 'http://a.test/', crawl: { name: 'f', flag: '--dir f' } };
    const versions = [version(1, 'first'), version(2, 'changed'), version(3, 'same'), version(4, 'changed', 404)];
    const dates = (of: readonly PageVersion[] | undefined): number[] | undefined => of?.map(({ date }) => date);
    assert.equal(comparedVersions(versions, at), undefined);
    assert.deepEqual(dates(comparedVersions(versions, { ...at, from: 3 })), [3, 4]);
    assert.deepEqual(dates(comparedVersions(versions, { ...at, from: 3, to: 0 })), [3, 1]);
    assert.throws(() => comparedVersions([version(1, 'first')], at), { code: 'ONE_VERSION' });
    assert.throws(() => comparedVersions([], at), { code: 'URL_NOT_FOUND' });
    assert.throws(() => comparedVersions(versions, { ...at, from: 4, to: 5 }), { code: 'ONE_VERSION' });
  });
});
