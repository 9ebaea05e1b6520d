import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { QueryNode } from '../../../src/contracts/search-index.ts';
import { PairEvidence } from '../../../src/dedupe/mirrors/pair-evidence.ts';
import { PathSample } from '../../../src/dedupe/mirrors/path-sample.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';
import { unpackNumbers } from '../../../src/rank/topic/packed-numbers.ts';
import { jsonlDocuments } from '../../../src/search/indexing/imports/jsonl-documents.ts';
import { trecDocuments } from '../../../src/search/indexing/imports/trec-documents.ts';
import type { Random } from '../random.ts';
import { type FuzzTarget, promise, textOf } from '../target.ts';

const analyze = createAnalyzer().analyze;
const folder = mkdtempSync(join(tmpdir(), 'orbweaver-fuzz-index-'));
{
  await using index = await openSegmentIndex({ folder, analyze });
  for (let number = 0; number < 60; number++) {
    const words = ['spider', 'web', `word${number % 7}`, `rare${number}`, 'silk '.repeat(number % 5)].join(' ');
    index.add({
      ...{
        id: `https://h${number % 5}.example/${number}`,
        title: `Title ${number}`,
        headings: 'orb',
        body: words.repeat(1 + (number % 3)),
      },
      ...{ description: 'about spiders', anchors: [{ text: 'link text', weight: 1 }] },
      facts: {
        host: `h${number % 5}.example`,
        mediaType: 'text/html',
        language: 'en',
        date: number,
        fetchedAt: number,
        cluster: 0,
        spam: 0,
        rank: 0.5,
      },
    });
  }
  await index.commit({ at: 1 });
}
const files = readdirSync(folder).sort();
const whole = new Map(files.map((name) => [name, readFileSync(join(folder, name))]));
const QUERIES: readonly QueryNode[] = [
  { kind: 'term', terms: ['spider'] },
  { kind: 'phrase', terms: ['spider', 'web'], offsets: [0, 1] },
  { kind: 'prefix', prefix: 'ra' },
  {
    kind: 'and',
    nodes: [
      { kind: 'term', terms: ['web'] },
      { kind: 'not', node: { kind: 'term', terms: ['word3'] } },
    ],
  },
];

/** One damage for each input: which file, where, and what stands there instead. */
function damage(random: Random): Uint8Array {
  const made = Buffer.alloc(7);
  made[0] = random.below(files.length);
  made.writeUInt32LE(random.chance(0.5) ? random.below(600) : random.next(), 1);
  made[5] = random.pick([0, 1, 0x7f, 0x80, 0xff, random.next() & 0xff]);
  made[6] = random.below(8);
  return made;
}

/**
 * An index whose files are damaged: one of its documented errors, or an answer, but no hang, no exhausted memory and no
 * exception without a code.
 */
export const indexTarget: FuzzTarget = {
  name: 'index-files',
  samples: [],
  pieces: [],
  maxLength: 64,
  make: (random) => damage(random),
  async run(input) {
    const made = Buffer.concat([input, Buffer.alloc(7)]);
    const name = files[made[0] % files.length];
    const bytes = Buffer.from(whole.get(name) as Buffer);
    const at = made.readUInt32LE(1) % Math.max(1, bytes.length);
    const changed = made[6] === 0 ? bytes.subarray(0, at) : bytes;
    if (made[6] !== 0)
      for (let count = 0; count < Math.min(made[6], 4); count++) changed[(at + count) % bytes.length] = made[5];
    writeFileSync(join(folder, name), changed);
    try {
      await using index = await openSegmentIndex({ folder, analyze, readOnly: true });
      using snapshot = index.snapshot();
      for (const query of QUERIES) {
        for (const { document } of snapshot.top(query, 5).top) snapshot.document(document);
      }
      snapshot.terms('s', 5);
      snapshot.find('https://h1.example/1');
    } catch (error) {
      if (!(error instanceof OrbweaverError)) throw error;
    } finally {
      writeFileSync(join(folder, name), whole.get(name) as Buffer);
    }
  },
  close: () => rmSync(folder, { recursive: true, force: true }),
};

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

async function documented(documents: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const document of documents) promise(document !== undefined, 'a document is there');
  } catch (error) {
    if (!(error instanceof OrbweaverError)) throw error;
  }
}

export const storedTarget: FuzzTarget = {
  name: 'stored-records',
  samples: [
    '{"id":"d1","title":"T","text":"words"}',
    '<DOC><DOCNO> 1 </DOCNO><TITLE>T</TITLE><TEXT>x &amp; y</TEXT></DOC>',
    'AAAAAAEAAAACAAAAAwAAAAQAAAAFAAAABgAAAAcAAAA=',
    '{"url":"https://example.com/","at":5}',
  ],
  pieces:
    '{ } " "id" "text" "title" "_id" "url" "at" : , null [] 5 <DOC> </DOC> <DOCNO> </DOCNO> <TITLE> </TITLE> <TEXT> & &amp; AAAA //// = '
      .split(' ')
      .concat('\n'),
  maxLength: 4_096,
  async run(input) {
    const text = textOf(input);
    await documented(jsonlDocuments(linesOf(text), 'x'));
    await documented(trecDocuments(linesOf(text), 'x'));
    const sample = PathSample.fromJson(text);
    promise(PathSample.fromJson(sample.toJson()).toJson() === sample.toJson(), 'a sample of paths is kept as it is');
    const evidence = PairEvidence.fromJson(text);
    promise(PairEvidence.fromJson(evidence.toJson()).toJson() === evidence.toJson(), 'evidence is kept as it is');
    unpackNumbers(text, Math.floor(input.length / 4), 0.5);
  },
};
