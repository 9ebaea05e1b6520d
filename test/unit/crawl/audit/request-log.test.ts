import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { politenessField, politenessNote, readPolitenessField } from '../../../../src/crawl/audit/politeness-note.ts';
import { RequestLog } from '../../../../src/crawl/audit/request-log.ts';

const { settings } = resolveSettings({ overrides: { delay: 1000, delayFactor: 5 } });
const NOTE = politenessNote(settings);

interface Sent {
  readonly at: number;
  readonly ms: number;
  readonly crawlDelayMs?: number;
  readonly retryAfterMs?: number;
}

function logOf(sent: readonly Sent[], note = NOTE): RequestLog {
  const log = new RequestLog();
  for (const [offset, { at, ms, crawlDelayMs = 0, retryAfterMs }] of sent.entries())
    log.add(
      {
        ...{ url: 'http://a.example/', at, end: at + ms, fetchMs: ms, status: 200, address: '', agent: '' },
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      },
      { file: 0, offset, note, crawlDelayMs, host: 'a.example' },
    );
  return log;
}

describe('pauses of a host', () => {
  const tooShort = (sent: readonly Sent[], note = NOTE): number =>
    logOf(sent, note).pauses(sent.map(() => 0)).tooShort.count;

  test('the delay counts from the end of a request, the adaptive one by how long it took', () => {
    assert.equal(
      tooShort([
        { at: 0, ms: 100 },
        { at: 1100, ms: 100 },
      ]),
      0,
    );
    assert.equal(
      tooShort([
        { at: 0, ms: 100 },
        { at: 1098, ms: 100 },
      ]),
      1,
    );
    assert.equal(
      tooShort([
        { at: 0, ms: 400 },
        { at: 2399, ms: 100 },
      ]),
      0,
    );
    assert.equal(
      tooShort([
        { at: 0, ms: 400 },
        { at: 2300, ms: 100 },
      ]),
      1,
    );
  });

  test('a Crawl-delay that was known counts; the order in which requests come does not', () => {
    assert.equal(
      tooShort([
        { at: 0, ms: 10 },
        { at: 1500, ms: 10, crawlDelayMs: 2000 },
      ]),
      1,
    );
    assert.equal(
      tooShort([
        { at: 1500, ms: 10 },
        { at: 0, ms: 10 },
        { at: 700, ms: 10 },
      ]),
      2,
    );
  });

  test('without a delay nothing is owed; with several at once it counts between starts', () => {
    assert.equal(
      tooShort(
        [
          { at: 0, ms: 500 },
          { at: 501, ms: 1 },
        ],
        { ...NOTE, delay: 0 },
      ),
      0,
    );
    const several = { ...NOTE, hostConcurrency: 2, delayFactor: 0 };
    assert.equal(
      tooShort(
        [
          { at: 0, ms: 5000 },
          { at: 1000, ms: 1 },
        ],
        several,
      ),
      0,
    );
    assert.equal(
      tooShort(
        [
          { at: 0, ms: 5000 },
          { at: 900, ms: 1 },
        ],
        several,
      ),
      1,
    );
  });

  test('a time that was named by Retry-After holds for all requests behind it', () => {
    const sent = [
      { at: 0, ms: 10, retryAfterMs: 10_000 },
      { at: 5000, ms: 10 },
      { at: 9000, ms: 10 },
      { at: 10_010, ms: 1 },
    ];
    assert.equal(logOf(sent).tooEarly(sent.map(() => 0)).count, 2);
  });

  test('what was under way when Retry-After came is not too early, what began after it is', () => {
    const sent = [
      { at: 0, ms: 100, retryAfterMs: 1000 },
      { at: 50, ms: 10 },
      { at: 70, ms: 500 },
      { at: 110, ms: 10 },
      { at: 1100, ms: 10 },
    ];
    assert.equal(logOf(sent).tooEarly(sent.map(() => 0)).count, 1);
    // Each owner by itself.
    assert.equal(logOf(sent).tooEarly([0, 0, 0, 1, 1]).count, 0);
  });

  test('with several at once the adaptive delay is not judged: nobody knows which answers the crawl had', () => {
    const sent = [
      { at: 0, ms: 5000 },
      { at: 1000, ms: 400 },
      { at: 2000, ms: 1 },
    ];
    assert.equal(tooShort(sent, { ...NOTE, hostConcurrency: 2 }), 0);
    assert.equal(tooShort(sent, { ...NOTE, hostConcurrency: 2, delay: 1500 }), 2);
  });

  test('requests under way at once are counted, and those of other owners are not', () => {
    const sent = [
      { at: 0, ms: 100 },
      { at: 50, ms: 100 },
      { at: 90, ms: 10 },
    ];
    assert.equal(logOf(sent).tooMany([0, 0, 0]).count, 2);
    assert.equal(logOf(sent).tooMany([0, 1, 2]).count, 0);
    assert.equal(logOf(sent, { ...NOTE, hostConcurrencyOf: { 'a.example': 2 } }).tooMany([0, 0, 0]).count, 1);
  });
});

const NULLED = JSON.stringify({ ...NOTE, hostConcurrencyOf: null });

test('what is owed survives its way through the description of a file; anything else is no note', () => {
  const fields = new Map(Object.entries(politenessField(settings)));
  assert.deepEqual(readPolitenessField(fields), { ...NOTE, hostConcurrencyOf: {}, robotsNames: 'Orbweaver' });
  for (const text of ['', '{', '{}', 'null', '[]', '{"delay":"1"}', '7', NULLED])
    assert.equal(readPolitenessField(new Map([['politeness', text]])), undefined, text);
});
