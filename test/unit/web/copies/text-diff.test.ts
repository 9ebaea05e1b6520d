import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diffSequences, type Run } from '../../../../src/web/copies/sequence-diff.ts';
import { textDiff, wordDiff } from '../../../../src/web/copies/text-diff.ts';

const few = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

function sides(runs: readonly Run[], before: readonly string[], after: readonly string[]): [string[], string[]] {
  const old: string[] = [];
  const young: string[] = [];
  for (const { kind, from, to } of runs) {
    if (kind === 'removed') old.push(...before.slice(from, to));
    else young.push(...after.slice(from, to));
    if (kind === 'same') old.push(...after.slice(from, to));
  }
  return [old, young];
}

function edits(runs: readonly Run[]): number {
  return runs.filter(({ kind }) => kind !== 'same').reduce((sum, { from, to }) => sum + to - from, 0);
}

/** The textbook's table: slow, and plainly right. */
function fewestEdits(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, (_, at) => at);
  for (let x = 1; x <= before.length; x++) {
    const next = [x];
    for (let y = 1; y <= after.length; y++)
      next.push(before[x - 1] === after[y - 1] ? row[y - 1] : 1 + Math.min(row[y], next[y - 1]));
    row = next;
  }
  return row[after.length];
}

describe('Differences of sequences', () => {
  test('both sides can be read off, whatever is compared and however little may be tried', () => {
    fc.assert(
      fc.property(few, few, fc.integer({ min: 0, max: 70 }), (before, after, most) => {
        assert.deepEqual(sides(diffSequences(before, after, most), before, after), [before, after]);
      }),
    );
  });

  test('no way is shorter', () => {
    fc.assert(
      fc.property(few, few, (before, after) => {
        assert.equal(edits(diffSequences(before, after)), fewestEdits(before, after));
      }),
    );
  });

  test('what is the same is one run', () => {
    fc.assert(
      fc.property(few, (both) => {
        const whole = both.length === 0 ? [] : [{ kind: 'same', from: 0, to: both.length }];
        assert.deepEqual(diffSequences(both, both), whole);
      }),
    );
  });

  test('neighbouring runs are of different kinds', () => {
    fc.assert(
      fc.property(few, few, fc.integer({ min: 0, max: 70 }), (before, after, most) => {
        const kinds = diffSequences(before, after, most).map(({ kind }) => kind);
        for (let at = 1; at < kinds.length; at++) assert.notEqual(kinds[at], kinds[at - 1]);
      }),
    );
  });

  test('too many differences: cut at what both have once, the rest counts as replaced', () => {
    const before = Array.from({ length: 50_000 }, (_, at) => (at % 100 === 0 ? `anchor ${at}` : `old ${at}`));
    const after = Array.from({ length: 50_000 }, (_, at) => (at % 100 === 0 ? `anchor ${at}` : `new ${at}`));
    const runs = diffSequences(before, after);
    assert.deepEqual(sides(runs, before, after), [before, after]);
    assert.equal(runs.filter(({ kind }) => kind === 'same').length, 500);
    const strangers = diffSequences(
      before.map((text) => `x${text}`),
      after,
    );
    assert.deepEqual(
      strangers.map(({ kind }) => kind),
      ['removed', 'added'],
    );
  });
});

describe('Differences of texts', () => {
  test('both texts can be read off', () => {
    const text = fc
      .array(fc.constantFrom('one two', 'three', 'four five six', 'one two three', '七八九', 'é, ü!'))
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, young]: [string[], string[]] = [[], []];
        for (const block of textDiff(before, after)) {
          if (block.kind === 'changed') {
            old.push(
              block.parts
                .filter(({ kind }) => kind !== 'added')
                .map((part) => part.text)
                .join('')
                .trim(),
            );
            young.push(
              block.parts
                .filter(({ kind }) => kind !== 'removed')
                .map((part) => part.text)
                .join('')
                .trim(),
            );
          } else {
            if (block.kind !== 'added') old.push(block.text);
            if (block.kind !== 'removed') young.push(block.text);
          }
        }
        const words = (texts: readonly string[]): string[] => texts.map((line) => line.replace(/\s+/g, ' '));
        assert.deepEqual(
          words(young),
          after.split('\n').filter((line) => line !== ''),
        );
        assert.deepEqual(
          words(old),
          before.split('\n').filter((line) => line !== ''),
        );
      }),
    );
  });

  test('a rewritten paragraph shows its words, another one is replaced', () => {
    assert.deepEqual(textDiff('same\nThe web is torn.\nend', 'same\nThe web is whole.\nend'), [
      { kind: 'same', text: 'same' },
      {
        kind: 'changed',
        parts: [
          { kind: 'same', text: 'The web is ' },
          { kind: 'removed', text: 'torn' },
          { kind: 'added', text: 'whole' },
          { kind: 'same', text: '.' },
        ],
      },
      { kind: 'same', text: 'end' },
    ]);
    assert.deepEqual(
      textDiff('alpha beta gamma', 'one two three').map(({ kind }) => kind),
      ['removed', 'added'],
    );
  });

  test('scripts without spaces go by character', () => {
    assert.deepEqual(wordDiff('蜘蛛の網', '蜘蛛の巣'), [
      { kind: 'same', text: '蜘蛛の' },
      { kind: 'removed', text: '網' },
      { kind: 'added', text: '巣' },
    ]);
  });
});
