import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { archivedResponse, captureOf } from '../../../src/archive/archived-response.ts';
import { ByteWindow } from '../../../src/archive/byte-window.ts';
import { formatCdxj, parseCdxj } from '../../../src/archive/cdxj/cdxj-line.ts';
import { gzipMember } from '../../../src/archive/gzip/gzip-member.ts';
import { type ParsedRecord, parseRecords } from '../../../src/archive/warc/record-parser.ts';
import { visitRecords } from '../../../src/archive/warc/visit-records.ts';
import { readWarc, type WarcItem } from '../../../src/archive/warc/warc-reader.ts';
import { RECORD_END, type WarcRecord } from '../../../src/archive/warc/warc-record.ts';
import { entryOf } from '../../unit/archive/archive-fixture.ts';
import type { Random } from '../random.ts';
import { type FuzzTarget, promise, textOf } from '../target.ts';

const RECORD =
  'WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-05-04T10:00:00Z\r\n' +
  'WARC-Target-URI: http://example.com/\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 45\r\n\r\n' +
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhi\r\n\r\n';

/** Now and then compressed: damage to a gzip file looks different from damage to its content. */
function compressed(random: Random, plain: () => Uint8Array): Uint8Array {
  const kind = random.below(16);
  if (kind > 2) return plain();
  const members = Array.from({ length: random.size(3) }, () => gzipMember([Buffer.from(plain())], 1));
  const file = Buffer.concat(members);
  if (kind === 0) file[random.below(file.length)] ^= 1 << random.below(8);
  return kind === 1 ? file.subarray(0, random.below(file.length)) : file;
}

/** Of this process; two targets share it. */
const path = join(tmpdir(), `orbweaver-fuzz-${process.pid}-${threadId}.warc`);

/** Plain bytes in memory; compressed files, and one in sixteen of the others, from a real file. */
async function* itemsOf(input: Uint8Array): AsyncGenerator<WarcItem> {
  if (input[0] === 0x1f || input.length % 16 === 0) {
    writeFileSync(path, input);
    yield* readWarc(path);
    return;
  }
  const pieces = [Buffer.from(input)];
  for await (const item of parseRecords(new ByteWindow(async () => pieces.pop()))) {
    if (item.kind === 'damage') yield item;
    else yield { kind: 'record', record: recordOf(item) };
  }
}

function recordOf({ head, block, start, end, whole }: ParsedRecord): WarcRecord {
  const { version, fields } = head;
  return { version, type: fields.get('WARC-Type') ?? '', fields, block, offset: start, length: end - start, whole };
}

export const warcTarget: FuzzTarget = {
  name: 'warc',
  samples: [RECORD, RECORD + RECORD, RECORD.replace('response', 'revisit')],
  pieces: [
    'WARC/1.1\r\n',
    'WARC/1.0\n',
    'WARC/',
    'WARC-Type: response\r\n',
    'WARC-Target-URI: <http://a b/>\r\n',
    'WARC-Date: 2026\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: 99999999999\r\n',
    'Content-Length: -1\r\n',
    '\r\n\r\n',
    'HTTP/1.1 200 OK\r\n',
    'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    'Content-Encoding: gzip, br\r\n',
    ' folded\r\n',
    RECORD,
  ],
  corpora: ['warc/files'],
  maxLength: 8_192,
  make: compressed,
  async run(input) {
    let last = -1;
    let items = 0;
    for await (const item of itemsOf(input)) {
      items++;
      if (item.kind === 'damage') {
        promise(item.at >= 0 && item.at <= input.length + 1, 'damage lies within the file', () => item);
        continue;
      }
      const { record } = item;
      promise(record.offset >= last && record.offset <= input.length, 'records come in order', () => record.offset);
      last = record.offset;
      const capture = captureOf(record, 'a.warc');
      archivedResponse(record, 'a.warc');
      if (capture !== undefined && Number.isFinite(capture.date) && URL.canParse(capture.url)) formatCdxj(capture);
    }
    promise(items <= input.length * 64 + 4, 'no more items than bytes', () => items);
  },
  close: () => rmSync(path, { force: true }),
};

/** What was written is read back, whatever the server sent. */
export const warcRoundTripTarget: FuzzTarget = {
  name: 'warc-round-trip',
  samples: ['200\nContent-Type: text/html\nX: y\n\nbody', '301\nLocation: /x\n\n', '200\n: \nÄ: \r\n\nWARC/1.1\r\n'],
  pieces: [
    'Content-Length: 5\n',
    'Transfer-Encoding: chunked\n',
    'Content-Encoding: gzip\n',
    '\n',
    '\r',
    ': ',
    'WARC/1.1\r\n\r\n',
    '\r\n\r\n',
    'a',
  ],
  maxLength: 1_024,
  async run(input) {
    const text = Buffer.from(input).toString('latin1');
    const end = text.indexOf('\n\n');
    const [first, ...lines] = (end === -1 ? text : text.slice(0, end)).split('\n');
    const rawHeaders = lines.flatMap((line) => {
      const colon = line.indexOf(':');
      // As the fetcher has them: a name, and a value without line ends or white space around it.
      const name = line.slice(0, Math.max(0, colon)).replace(/[^!#-'*+.^-z|~-]/g, '');
      return name === ''
        ? []
        : [
            name,
            line
              .slice(colon + 1)
              .replaceAll(/[\0\r\n]/g, '')
              .trim(),
          ];
    });
    const raw = end === -1 ? Buffer.alloc(0) : Buffer.from(text.slice(end + 2), 'latin1');
    const status = 200 + Math.abs((Number.parseInt(first, 10) || 0) % 300);
    const { main } = visitRecords(entryOf({ rawHeaders, raw, status }), () => 'id');
    const parts = [main.head, main.body, RECORD_END];
    const items = [];
    for await (const item of itemsOf(input.length % 16 === 0 ? gzipMember(parts, 1) : Buffer.concat(parts)))
      items.push(item);
    const [item] = items;
    promise(items.length === 1 && item.kind === 'record', 'a record is read back whole', () => [items.length, item]);
    const understood = archivedResponse(item.record, 'a');
    promise(understood !== undefined, 'a response is read back as one');
    promise(understood.document.status === status, 'the status is read back', () => understood.document.statusLine);
    const coded = rawHeaders.some((name, at) => at % 2 === 0 && /^content-encoding$/i.test(name));
    promise(coded || raw.equals(understood.document.raw), 'the body is read back', () => [
      rawHeaders,
      raw.toString('latin1'),
    ]);
  },
  close: () => rmSync(path, { force: true }),
};

export const cdxjTarget: FuzzTarget = {
  name: 'cdxj',
  samples: [
    'com,example)/ 20260504100000 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "AA", "length": "10", "offset": "0", "filename": "a.warc.gz"}',
  ],
  pieces:
    'com,example)/ 20260504100000 99999999999999 { } "url": "http://example.com/" "mime": "status": "200" "length": "offset": "filename": "ms": , null [] 5 true "a" \\u0000'
      .split(' ')
      .concat(' ', ' '),
  maxLength: 1_024,
  run(input) {
    const line = textOf(input);
    const capture = parseCdxj(line);
    if (capture === undefined) return;
    promise(typeof capture.url === 'string' && typeof capture.file === 'string', 'a capture has texts', () => capture);
    // Of a URL with white space no line can be made; archives write it escaped.
    if (!URL.canParse(capture.url) || /[\s\0]/.test(capture.url)) return;
    const again = parseCdxj(formatCdxj(capture).trimEnd());
    promise(
      again !== undefined &&
        again.offset === capture.offset &&
        again.date === capture.date &&
        again.url === capture.url,
      'an index line can be written and read again',
      () => [capture, again],
    );
  },
};
