import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { corpus } from '../corpora.ts';
import type { FuzzTarget } from './target.ts';

const MOST_FILES = 60;
const MOST_BYTES = 200_000;

/** Samples from the public data sets beside the checkout; none where they are absent. */
export function samplesOf(target: FuzzTarget): Uint8Array[] {
  return (target.corpora ?? []).flatMap((path) => {
    const [name, ...inside] = path.split('/');
    const folder = corpus(name);
    return folder === undefined ? [] : filesBelow(join(folder, ...inside));
  });
}

function filesBelow(path: string): Uint8Array[] {
  if (!statSync(path).isDirectory()) return path.endsWith('.jsonl') ? lines(path) : [begin(path)];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile() && !/README|\.jsonl?$|\.md$/.test(file));
  const step = Math.max(1, Math.ceil(files.length / MOST_FILES));
  return files.filter((_, at) => at % step === 0).map(begin);
}

function begin(file: string): Uint8Array {
  return readFileSync(file).subarray(0, MOST_BYTES);
}

/** Every document or text that stands in a line of JSON. */
function lines(file: string): Uint8Array[] {
  const written = readFileSync(file, 'utf8').trim().split('\n');
  const step = Math.max(1, Math.ceil(written.length / MOST_FILES));
  return written
    .filter((_, at) => at % step === 0)
    .flatMap((line) => textsIn(JSON.parse(line) as unknown))
    .filter((sample) => sample.length > 0 && sample.length <= MOST_BYTES);
}

function textsIn(value: unknown): Uint8Array[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, text]) => {
    if (typeof text !== 'string') return [];
    if (/b64|base64/i.test(key)) return [Buffer.from(text, 'base64')];
    return /html|body|text|xml|url|query|robots|input/i.test(key) ? [Buffer.from(text)] : [];
  });
}
