import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { lookThrough } from '../../../../src/crawl/foreign/look-through.ts';
import { openCaptures } from '../../../../src/engines/open-captures.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

/** Captures of each file, those that others have too left out, and what is refused. Files without either hold none. */
const EXPECTED: Readonly<Record<string, string>> = {
  'copycat__cc-2010-sample.arc.gz': '8 of 9',
  'jwarc__cc.warc.gz': '1 of 1',
  'jwarc__gzip_extra_sl.warc.gz': '0 of 1',
  'resiliparse__block-sized-records.warc.gz': '0 of 3',
  'resiliparse__block-sized-records.warc.lz4': '0 of 0; 1 an LZ4 file: only plain, gzip and Zstandard are read',
  'resiliparse__clipped.warc.gz':
    '0 of 1; 1 the record is cut, or its length is wrong; 1 the file ends within the record; 1 the gzip data is damaged or cut (unexpected end of file)',
  'resiliparse__clueweb-quirk.warc.gz': '29 of 30',
  'resiliparse__warcfile.warc.gz': '16 of 50',
  'warcio.js__example-bad-length.warc':
    '2 of 6; 1 Content-Length does not lead to the next record; 1 the record is not followed by two empty lines',
  'warcio.js__example-resource.warc.gz': '1 of 1',
  'warcio.js__example-url-agnostic-revisit.warc.gz': '1 of 2; 1 the record is not followed by two empty lines',
  'warcio.js__example.warc': '0 of 7, 2 repeated',
  'warcio.js__post-test-more.warc': '0 of 6',
  'warcio.js__redirect.warc': '1 of 2',
  'warcio__bad.arc':
    '0 of 1; 1 no ARC record begins here: "filedesc://bad.arc.gz 127.0.0.1 20140301"; 1 the record is cut, or its length is wrong; 1 the length of the record does not lead to the next',
  'warcio__example-bad-non-chunked.warc.gz': '0 of 6, 2 repeated',
  'warcio__example-bad.warc.gz.bad': '3 of 6',
  'warcio__example-digest.warc': '0 of 4',
  'warcio__example-iana.org-chunked.warc': '1 of 3',
  'warcio__example-resource.warc.gz': '1 of 3',
  'warcio__example-space-in-target-uri.warc.gz': '0 of 2',
  'warcio__example-space-in-url.arc': '1 of 2; 1 the file ends within the record',
  'warcio__example-trunc.warc': '0 of 4, 1 repeated; 1 Content-Length does not lead to the next record',
  'warcio__example-wget-bad-target-uri.warc.gz': '1 of 6',
  'warcio__example-wrong-chunks.warc.gz':
    '1 of 2; 1 the gzip member ends within its record, which goes on in the next; 1 the record is not followed by two empty lines',
  'warcio__example.arc': '1 of 2',
  'warcio__example.arc.gz': '0 of 2, 1 repeated',
  'warcio__example.warc': '0 of 6, 2 repeated',
  'warcio__example.warc.gz': '0 of 6, 2 repeated',
  'warcio__post-test.warc.gz': '0 of 6',
  'webarchive-commons__IAH-20080430204825-00000-blackbook-truncated.arc': '7 of 9',
  'webarchive-commons__IAH-urls-wget.warc.gz': '16 of 36',
  'webarchive-commons__link-extraction-test.warc':
    '6 of 8; 3 the record is not followed by two empty lines; 1 Content-Length does not lead to the next record; 1 a response without a WARC-Target-URI',
  'webarchive-commons__mutliple-headers.warc': '1 of 1',
};

test('every file of other projects is read, or refused with a reason', { skip: skipWithout('warc') }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-corpus-'));
  try {
    const files = join(corpus('warc') ?? '', 'files');
    using captures = openCaptures(folder);
    const named = readdirSync(files).map((file) => join(files, file));
    const reports = await lookThrough(named, { captures, folder, urlOptions: defaultUrlOptions, keep: 2e6 });
    assert.equal(reports.length, 34);
    const told = reports.map(({ path, counts, refused }) => {
      const { response = 0, revisit = 0, resource = 0, conversion = 0, repeated = 0 } = counts;
      const found = response + revisit + resource + conversion;
      const reasons = refused.map(({ why, count }) => `; ${count} ${why}`).join('');
      return [
        basename(path),
        `${found} of ${counts.records}${repeated === 0 ? '' : `, ${repeated} repeated`}${reasons}`,
      ];
    });
    assert.deepEqual(Object.fromEntries(told), EXPECTED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
