import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lastChange } from '../../../../src/web/copies/last-change.ts';
import type { WebVersion } from '../../../../src/web/web-reader.ts';

interface Stored extends WebVersion {
  readonly text: string;
}

/** Copies as "text", "text=" (a visit that found it as it was) or "text 404", at the times 1, 2 and so on. */
function stored(...copies: readonly string[]): Stored[] {
  return copies.map((copy, at) => {
    const [text, status = '200'] = copy.replace('=', '').split(' ');
    const changed = copy.endsWith('=') ? 'same' : at === 0 ? 'first' : 'changed';
    return { text, date: at + 1, status: Number(status), mediaType: 'text/html', changed };
  });
}

async function found(versions: readonly Stored[], mostRead = 100) {
  const read: number[] = [];
  const textOf = async ({ text, date }: Stored): Promise<string> => {
    read.push(date);
    return text;
  };
  const { older, newer, blocks, differs, more } = await lastChange(versions, textOf, mostRead);
  assert.equal(
    blocks.every(({ kind }) => kind === 'same'),
    !differs,
  );
  return { pair: [older.date, newer.date], differs, more, read };
}

describe('lastChange', () => {
  test('goes by the main text: a page with other ads at each visit has not changed', async () => {
    const { pair, differs } = await found(stored('old', 'old', 'new', 'new', 'new'));
    assert.deepEqual(pair, [2, 3]);
    assert.ok(differs);
  });

  test('case and white space are no difference', async () => {
    const copies = stored('old', 'New', 'NEW', 'new');
    assert.deepEqual((await found(copies)).pair, [1, 2]);
    assert.equal((await found(copies.slice(1))).differs, false);
  });

  test('reads no more than it needs: not what was the same to the byte, and nothing before the change', async () => {
    const { pair, read } = await found(stored('oldest', 'old', 'new', 'new=', 'new=', 'new', 'new='));
    assert.deepEqual(pair, [2, 3]);
    assert.deepEqual(read, [6, 3, 2]);
  });

  test('passes error pages over', async () => {
    assert.deepEqual((await found(stored('old', 'new', 'error 404', 'error= 404', 'new'))).pair, [1, 2]);
    assert.deepEqual((await found(stored('old', 'error 500', 'new'))).pair, [1, 3]);
  });

  test('says that none differs, and whether there are others', async () => {
    const all = await found(stored('one', 'one', 'one'));
    assert.deepEqual(all, { pair: [1, 3], differs: false, more: false, read: [3, 2, 1] });
    const some = await found(stored('another', 'one', 'one', 'one'), 3);
    assert.deepEqual(some, { pair: [2, 4], differs: false, more: true, read: [4, 3, 2] });
  });

  test('white space around paragraphs is no change', async () => {
    const versions = stored('one', 'one', 'one').map((version, at) => ({ ...version, text: `one${'\n'.repeat(at)}` }));
    assert.equal((await found(versions)).differs, false);
  });

  test('what is stored is compared where there is nothing better', async () => {
    assert.deepEqual((await found(stored('one', 'one='))).pair, [1, 2]);
    assert.deepEqual((await found(stored('one', 'gone 404'))).pair, [1, 2]);
    assert.deepEqual((await found(stored('one'))).pair, [1, 1]);
  });
});
