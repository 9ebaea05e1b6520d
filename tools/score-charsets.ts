/**
 * How often the charset of an unlabelled text is found, and how fast.
 * node tools/score-charsets.ts [../shared/corpora/charset/samples.jsonl]
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { charsetOf, decode } from '../src/convert/charset.ts';
import { detectCharset } from '../src/convert/charset-detection/detect-charset.ts';
import { encodingOf } from '../src/convert/encoding-label.ts';

interface Sample {
  readonly file: string;
  readonly python_codec: string;
  readonly text_sha1: string;
  readonly body_b64: string;
}

const path = process.argv[2] ?? fileURLToPath(new URL('../../shared/corpora/charset/samples.jsonl', import.meta.url));
const samples: Sample[] = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
/** Names that the Encoding Standard writes otherwise. */
const STANDARD_NAMES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  mac_cyrillic: 'x-mac-cyrillic',
  mac_roman: 'macintosh',
  iso2022_kr: 'iso-2022-kr',
  iso2022_jp: 'iso-2022-jp',
  utf_16_le: 'utf-16le',
  utf_16_be: 'utf-16be',
  tis_620: 'windows-874',
};

for (const labels of ['without declarations', 'with declarations inside']) {
  let same = 0;
  let named = 0;
  const wrong: string[] = [];
  for (const sample of samples) {
    const bytes = Buffer.from(sample.body_b64, 'base64');
    const { encoding } = charsetOf(labels === 'without declarations' ? undeclared(bytes) : bytes);
    if (sha1(decode(bytes, encoding)) === sample.text_sha1) same++;
    // The standard reads some byte pairs otherwise than the sample's maker did; the encoding is right all the same.
    else if (encoding === standardName(sample.python_codec)) named++;
    else wrong.push(`${sample.file} -> ${encoding}`);
  }
  const share = ((same + named) / samples.length).toFixed(4);
  console.log(
    `${labels}: ${share} (${same} give the same text, ${named} more the same encoding, of ${samples.length})`,
  );
  for (const line of wrong) console.log(`  ${line}`);
}
speed(
  'detection',
  detectCharset,
  samples.map(({ body_b64 }) => Buffer.from(body_b64, 'base64')),
);
const page = Buffer.from(`<!doctype html><meta charset=utf-8><p>${'Grüße aus dem Netz '.repeat(4_000)}`);
speed('a declared page of 80 kB', (bytes) => charsetOf(bytes), [page]);

function standardName(codec: string): string | undefined {
  const dashed = codec.replaceAll('_', '-').replace(/^iso8859-/, 'iso-8859-');
  return STANDARD_NAMES[codec] ?? encodingOf(codec) ?? encodingOf(dashed) ?? dashed;
}

/** The corpus judges detection alone: what the document itself declares is made unreadable. */
function undeclared(bytes: Buffer): Uint8Array {
  const text = bytes
    .toString('latin1')
    .replace(/(<\?xml[^>]*?)encoding(?=\s*=)/, '$1encodinX')
    .replace(/charset(?=\s*=)/gi, 'charseX');
  return Buffer.from(text, 'latin1');
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function speed(what: string, run: (bytes: Uint8Array) => unknown, inputs: readonly Uint8Array[]): void {
  for (const input of inputs) run(input);
  const start = process.cpuUsage();
  let runs = 0;
  while (process.cpuUsage(start).user < 500_000) for (const input of inputs) runs += run(input) === undefined ? 1 : 1;
  const { user, system } = process.cpuUsage(start);
  console.log(`${what}: ${Math.round((runs * 1e6) / (user + system)).toLocaleString('en')} texts/s per core`);
}
