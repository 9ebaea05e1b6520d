import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { foreignFiles } from '../../../../src/archive/foreign/foreign-files.ts';
import { answerOf, readRecord } from '../../../../src/archive/foreign/foreign-record.ts';
import { type ForeignItem, readForeign } from '../../../../src/archive/foreign/read-foreign.ts';
import { RecordSpool } from '../../../../src/archive/foreign/record-spool.ts';
import { readRecordAt } from '../../../../src/archive/warc/read-record-at.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';
import {
  arcFile,
  arcRecord,
  gzipMembers,
  httpAnswer,
  response,
  warcRecord,
  zipOf,
  zstdFrames,
} from '../../../foreign-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-foreign-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function itemsOf(name: string, bytes: Buffer, keep = 1e6): Promise<ForeignItem[]> {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const items: ForeignItem[] = [];
  for await (const item of readForeign(path, { keep, scratch: join(folder, 'scratch.tmp') })) items.push(item);
  return items;
}

function urlsOf(items: readonly ForeignItem[]): (string | undefined)[] {
  return items.flatMap((item) => (item.kind === 'record' ? [item.record.fields.get('WARC-Target-URI')] : []));
}

function whysOf(items: readonly ForeignItem[]): string[] {
  return items.flatMap((item) => (item.kind === 'damage' ? [item.why] : []));
}

const A = response('https://a.example/', 'one');
const B = response('https://b.example/', 'two');
const BOTH = ['https://a.example/', 'https://b.example/'];

describe('files of other writers', () => {
  for (const [name, bytes, alone] of [
    ['plain.warc', Buffer.concat([A, B]), true],
    ['members.warc.gz', gzipMembers([A, B]), true],
    ['whole.warc.gz', gzipSync(Buffer.concat([A, B])), false],
    ['frames.warc.zst', zstdFrames([A, B]), false],
    ['whole.warc.zst', zstdCompressSync(Buffer.concat([A, B])), false],
    ['dictionary.warc.zst', zstdFrames([A, B], Buffer.concat([A, A, B, A])), false],
    [
      'stored.wacz',
      zipOf([
        { name: 'datapackage.json', bytes: Buffer.from('{}') },
        { name: 'archive/x.warc.gz', bytes: gzipMembers([A, B]) },
      ]),
      true,
    ],
    ['deflated.wacz', zipOf([{ name: 'archive/x.warc', bytes: Buffer.concat([A, B]), deflate: true }]), false],
  ] as const) {
    test(`${name}: both records, ${alone ? 'each where it lies' : 'which cannot be read alone'}`, async () => {
      const items = await itemsOf(name, bytes);
      assert.deepEqual(whysOf(items), []);
      assert.deepEqual(urlsOf(items), BOTH);
      for (const item of items) {
        assert.ok(item.kind === 'record' && item.alone === alone);
        const { offset, length } = item.record;
        const read = alone ? await readRecordAt(join(folder, name), offset, length) : undefined;
        if (alone) assert.deepEqual(read?.block, item.record.block);
      }
    });
  }

  test('a ZIP file whose files share their bytes is refused', async () => {
    const bytes = zipOf([
      { name: 'archive/x.warc', bytes: Buffer.concat([A, B]), deflate: true },
      { name: 'archive/y.warc', bytes: A, deflate: true },
    ]);
    const [x, y] = ['x', 'y'].map((name) => bytes.lastIndexOf(`archive/${name}.warc`) - 46);
    bytes.writeUInt32LE(bytes.readUInt32LE(x + 42), y + 42);
    assert.match(whysOf(await itemsOf('overlap.wacz', bytes)).join(), /y\.warc lies within another file/);
  });

  test('a ZIP file that lies about lengths ends where it ends', async () => {
    const bytes = zipOf([{ name: 'archive/x.warc', bytes: Buffer.concat([A, B]), deflate: true }]);
    const entry = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(0xffff_fffe, entry + 20);
    const items = await itemsOf('lies.wacz', bytes);
    assert.ok(items.length > 0 && items.length < 5, JSON.stringify(whysOf(items)));
  });

  test('ARC, plain and gzip: records of the web with their dates', async () => {
    const records = [
      arcRecord('http://a.example/x y', '20080102030405', httpAnswer('one')),
      arcRecord('http://b.example/', '20090203', httpAnswer('two')),
    ];
    for (const [name, bytes] of [
      ['x.arc', arcFile(records)],
      ['x.arc.gz', gzipSync(arcFile(records))],
    ] as const) {
      const items = await itemsOf(name, bytes);
      const read = items.flatMap((item) =>
        item.kind === 'record' ? [readRecord(item.record, defaultUrlOptions)] : [],
      );
      assert.deepEqual(whysOf(items), []);
      assert.deepEqual(
        read.map((one) =>
          one.kind === 'capture' ? [one.capture.url, new Date(one.capture.date).toISOString()] : one.kind,
        ),
        [
          'skipped',
          ['http://a.example/x%20y', '2008-01-02T03:04:05.000Z'],
          ['http://b.example/', '2009-02-03T00:00:00.000Z'],
        ],
      );
    }
  });

  test('what is damaged is told, and what is whole is read', async () => {
    const cut = gzipMembers([A, B]).subarray(0, -20);
    assert.deepEqual(urlsOf(await itemsOf('cut.warc.gz', cut)), BOTH);
    assert.match(whysOf(await itemsOf('cut.warc.gz', cut)).join(), /damaged or cut|ends within/);
    assert.match(
      whysOf(await itemsOf('cut.warc.zst', zstdFrames([A, B]).subarray(0, -9))).join(),
      /Zstandard data is damaged or cut/,
    );
    assert.match(whysOf(await itemsOf('empty.warc', Buffer.alloc(0))).join(), /empty/);
    assert.match(whysOf(await itemsOf('text.warc', Buffer.from('hello'))).join(), /no record begins here/);
    assert.match(
      whysOf(await itemsOf('cut.wacz', zipOf([{ name: 'a.warc', bytes: A }]).subarray(0, -30))).join(),
      /no directory/,
    );
    assert.match(whysOf(await itemsOf('none.wacz', zipOf([{ name: 'a.txt', bytes: A }]))).join(), /without a WARC/);
    const bomb = zipOf([{ name: 'a.warc', bytes: Buffer.alloc(8e6), deflate: true }]);
    assert.match(whysOf(await itemsOf('bomb.wacz', bomb)).join(), /unpacks to more than 200 times its size/);
  });

  test('of a long record no more is kept than was asked for, and the next one is found', async () => {
    const long = response('https://long.example/', 'x'.repeat(3_000_000));
    for (const [name, bytes] of [
      ['long.warc', Buffer.concat([long, B])],
      ['long.warc.gz', gzipMembers([long, B])],
      [
        'long.arc',
        arcFile([
          arcRecord('http://long.example/', '20080102030405', httpAnswer('x'.repeat(3e6))),
          arcRecord('http://b.example/', '20080102030405', 'HTTP/1.0 200 OK\r\n\r\n'),
        ]),
      ],
    ] as const) {
      const records = (await itemsOf(name, bytes, 100_000)).flatMap((item) =>
        item.kind === 'record' ? [item.record] : [],
      );
      const [first, second] = records.slice(-2);
      assert.deepEqual([first.block.length, first.cut, first.whole], [100_000, true, true], name);
      assert.equal(answerOf(first)?.truncated, 'length');
      assert.equal(second.cut, undefined);
    }
  });
});

describe('records', () => {
  const read = async (record: Buffer) => {
    const [item] = await itemsOf('record.warc', record);
    assert.ok(item.kind === 'record');
    return readRecord(item.record, defaultUrlOptions);
  };

  test('what answers for no URL is skipped or refused, with its reason', async () => {
    assert.deepEqual(
      await read(warcRecord({ type: 'request', url: 'https://a.example/', block: 'GET / HTTP/1.1\r\n\r\n' })),
      { kind: 'skipped', as: 'request' },
    );
    assert.deepEqual(await read(warcRecord({ type: 'response', url: 'dns:a.example', block: '1' })), {
      kind: 'skipped',
      as: 'not of the web',
    });
    assert.deepEqual(await read(warcRecord({ type: '\x1b[2J', url: 'https://a.example/', block: '1' })), {
      kind: 'skipped',
      as: 'unknown',
    });
    assert.match(JSON.stringify(await read(response('https://a.example/', '', { date: 'yesterday' }))), /no date/);
    assert.match(
      JSON.stringify(await read(response('https://a.example/', '', { date: '+99999-01-01T00:00:00Z' }))),
      /no date/,
    );
    assert.match(
      JSON.stringify(await read(warcRecord({ type: 'response', url: 'https://a.example/', block: 'hello' }))),
      /without an HTTP status line/,
    );
    assert.match(
      JSON.stringify(await read(warcRecord({ type: 'response', block: 'hello' }))),
      /without a WARC-Target-URI/,
    );
    assert.match(
      JSON.stringify(await read(response('https://a.example/', '', { fields: { 'WARC-Segment-Number': '1' } }))),
      /part of a record/,
    );
  });

  test('heads and URLs without an end, and bodies in chunks of one byte, do no harm', async () => {
    const endless = warcRecord({
      type: 'response',
      url: 'https://a.example/',
      block: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(2e6)}`,
    });
    const [item] = await itemsOf('endless.warc', endless, 4e6);
    assert.ok(item.kind === 'record' && item.record.block.length > 2e6);
    assert.match(JSON.stringify(readRecord(item.record, defaultUrlOptions)), /without an HTTP status line/);
    assert.match(JSON.stringify(await read(response(`https://a.example/${'x'.repeat(20_000)}`, ''))), /too long/);
    const chunked = httpAnswer(`${'1\r\nx\r\n'.repeat(200_000)}0\r\n\r\n`, {
      headers: 'Transfer-Encoding: chunked\r\n',
    });
    const [many] = await itemsOf(
      'chunks.warc',
      warcRecord({ type: 'response', url: 'https://a.example/', block: chunked }),
      4e6,
    );
    assert.ok(many.kind === 'record');
    assert.equal(answerOf(many.record)?.raw.toString(), 'x'.repeat(200_000));
  });

  test('days of the year, as ClueWeb wrote them, are read', async () => {
    const found = await read(response('https://a.example/', '', { date: '2008-10-294T05:21:46-0700' }));
    assert.ok(found.kind === 'capture');
    assert.equal(new Date(found.capture.date).toISOString(), '2008-10-20T12:21:46.000Z');
  });

  test('what cannot be read alone can be from the spool, as it was', async () => {
    using spool = new RecordSpool(join(folder, 'spool.warc.gz'));
    const [item] = await itemsOf('spooled.warc.gz', gzipSync(Buffer.concat([A, B])));
    assert.ok(item.kind === 'record');
    const { path, offset, length } = spool.put(item.record);
    const again = await readRecordAt(path, offset, length);
    assert.deepEqual(again?.block, item.record.block);
    assert.deepEqual(readRecord(again as never, defaultUrlOptions), readRecord(item.record, defaultUrlOptions));
  });
});

describe('the files that are named', () => {
  test('folders, patterns and files, each once; what is not there is told', async () => {
    const named = await foreignFiles([folder, join(folder, '*.warc'), join(folder, 'text.warc')]);
    assert.ok(named.includes(join(folder, 'plain.warc')) && named.includes(join(folder, 'stored.wacz')));
    assert.equal(new Set(named).size, named.length);
    await assert.rejects(foreignFiles([join(folder, 'nothing.warc')]), {
      code: 'INPUT_INVALID',
      message: /There is no file/,
    });
    await assert.rejects(foreignFiles([join(folder, '*.nothing')]), { code: 'INPUT_INVALID' });
  });
});
