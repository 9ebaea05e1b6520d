import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FIELDS } from '../../../../../src/index/fields.ts';
import { ANCHOR_STEPS } from '../../../../../src/index/format/anchor-sum.ts';
import { addedForms, markOfForm, ownForms } from '../../../../../src/index/format/form-marks.ts';
import type { PostingRun, PostingWriter } from '../../../../../src/index/format/posting-writer.ts';
import { levelOfAnchorWeight, levelOfFrequency } from '../../../../../src/index/format/quantise.ts';
import { FORM_BITS, POSITION_BITS } from '../../../../../src/index/store/occurrences.ts';
import { WordArrays } from '../../../../../src/index/store/word-arrays.ts';
import { GatheredPostings } from '../../../../../src/index/store/words/gathered-postings.ts';

const ANCHORS = FIELDS.indexOf('anchors');
const FIELD_LENGTH = 4;
const TERMS = 5;

interface Word {
  readonly term: number;
  readonly position: number;
  readonly weight: number;
  readonly form: number;
}

/** Words of a document by position; fields are as long as each other. */
const documents = fc.array(
  fc
    .array(
      fc.record({
        term: fc.nat(TERMS - 1),
        position: fc.nat(FIELDS.length * FIELD_LENGTH - 1),
        weight: fc.integer({ min: 1, max: 15 }),
        form: fc.oneof(fc.constant(0), fc.nat(35)),
      }),
      { maxLength: 12 },
    )
    .map((words) =>
      words
        .sort((a, b) => a.position - b.position)
        .map((word) => ({ ...word, weight: fieldOf(word) === ANCHORS ? word.weight : 0 })),
    ),
  { minLength: 1, maxLength: 150 },
);

function fieldOf({ position }: { readonly position: number }): number {
  return Math.floor(position / FIELD_LENGTH);
}

/** What is written of a posting, thought out word by word. */
function plainPosting(document: number, words: readonly Word[]) {
  const marks = (which: (field: number) => boolean): number =>
    words.filter((word) => which(fieldOf(word))).reduce((all, { form }) => all | markOfForm(form), 0);
  const own = marks((field) => field !== ANCHORS);
  const anchors = marks((field) => field === ANCHORS);
  return {
    document,
    forms: ownForms(
      own,
      marks((field) => field === 0),
      anchors,
    ),
    added: addedForms(own, anchors),
    steps: words.map(({ position }, at) => position - (at === 0 ? 0 : words[at - 1].position)),
    levels: FIELDS.map((_, field) => {
      const held = words.filter((word) => fieldOf(word) === field);
      if (field !== ANCHORS) return levelOfFrequency(held.length);
      return levelOfAnchorWeight(held.reduce((sum, { weight }) => sum + weight, 0) / ANCHOR_STEPS);
    }),
  };
}

test('postings are those that one finds word by word', () => {
  fc.assert(
    fc.property(documents, (all) => {
      const words = Array.from({ length: TERMS }, (_, term) =>
        all.flatMap((held, document) =>
          held.filter((word) => word.term === term).map((word) => ({ document, ...word })),
        ),
      );
      const starts = new Uint32Array(TERMS + 1);
      for (let term = 0; term < TERMS; term++) starts[term + 1] = starts[term] + words[term].length;
      const order = Uint32Array.from([3, 1, 4, 0, 2].filter((term) => words[term].length > 0));
      const packed = new WordArrays().packed(starts[TERMS]);
      // As another segment may have left them.
      packed.postings.forms.fill(0xffff);
      packed.postings.addedForms.fill(0xffff);
      for (const [at, { document, position, weight, form }] of words.flat().entries()) {
        packed.words[2 * at] = (weight << POSITION_BITS) | position;
        packed.words[2 * at + 1] = (document << FORM_BITS) | form;
      }
      const fieldStarts = all.flatMap(() =>
        Array.from({ length: FIELDS.length + 1 }, (_, field) => field * FIELD_LENGTH),
      );
      const gathered = new GatheredPostings({ ...packed, terms: [], order, starts }, fieldStarts, all.length);
      for (let from = 0; from < order.length; from += 2) gathered.take(from, from + 2);
      const table = gathered.end();
      const uses = new Array<number>(table.size).fill(0);
      for (const [at, term] of order.entries()) {
        const expected = all.flatMap((held, document) => {
          const own = held.filter((word) => word.term === term);
          return own.length === 0 ? [] : [plainPosting(document, own)];
        });
        const found: ReturnType<typeof plainPosting>[] = [];
        const addRun = (run: PostingRun, from: number, to: number, stepsAt: number): void => {
          let step = stepsAt;
          for (let posting = from; posting < to; posting++) {
            const code = run.codes[posting];
            uses[code]++;
            found.push({
              document: run.documents[posting],
              forms: run.hasForms ? run.forms[posting] : 0,
              added: run.hasForms ? run.addedForms[posting] : 0,
              steps: Array.from(run.positionSteps.subarray(step, step + run.counts[posting])),
              levels: Array.from(table.levels.subarray(code * FIELDS.length, (code + 1) * FIELDS.length)),
            });
            step += run.counts[posting];
          }
        };
        gathered.write(at, { addRun } as unknown as PostingWriter);
        assert.deepEqual(found, expected);
      }
      assert.deepEqual(uses, Array.from(table.uses));
    }),
  );
});
