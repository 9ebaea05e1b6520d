import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTextBetween } from '../../../../src/archive/warc/read-text-between.ts';
import { entryOf, temporaryFolder, testArchive } from '../archive-fixture.ts';

const TEXT = 'Orb weavers build spiral webs. Zürich 東京\n'.repeat(50);

for (const level of [0, 1, 6])
  test(`the text of a visit is found by where its records end, at level ${level}, and by the longer way`, async (t) => {
    const folder = temporaryFolder(t);
    await using archive = testArchive(folder, { level });
    const before = await archive.put(entryOf({ url: 'http://a.example/0', raw: '<p>0' }));
    const place = await archive.put({
      ...entryOf({ url: 'http://a.example/1', raw: '<p>1' }),
      text: Buffer.from(TEXT),
    });
    const after = await archive.put({
      ...entryOf({ url: 'http://a.example/2', raw: '<p>2' }),
      text: Buffer.from('another'),
    });
    const path = join(folder, place.file);
    const between = (fileEnd: number, { offset, length } = place) => readTextBetween(path, offset + length, fileEnd);
    assert.equal(between(place.fileEnd), TEXT);
    assert.equal(between(before.fileEnd, before), undefined, 'a visit without a text');
    assert.equal(between(after.fileEnd), TEXT, 'its own comes first');
    // Ends that are not those of the visit: whoever asks looks for himself.
    assert.equal(between(place.fileEnd - 20), 'unsure');
    assert.equal(between(place.offset), 'unsure');
    assert.equal(between(after.fileEnd, before), 'unsure');
    assert.equal(readTextBetween(path, place.offset + 3, place.fileEnd), 'unsure');
    const { fileEnd: _end, ...bare } = place;
    assert.equal(await archive.textAt(bare), TEXT);
    assert.equal(await archive.textAt(place), TEXT);
    assert.equal(await archive.textAt({ ...before, fileEnd: after.fileEnd }), undefined);
  });
