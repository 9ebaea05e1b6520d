import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { openBodyFile } from '../../../../src/fetch/body/body-file.ts';
import { BodyMemory } from '../../../../src/fetch/body/body-memory.ts';
import { ReceivedBody } from '../../../../src/fetch/body/received-body.ts';

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-body-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('whatever the pieces, all bytes come out in their order', () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.nat(5000), fc.nat(70_000)), { maxLength: 40 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const whole = Buffer.from(Array.from({ length: lengths.reduce((a, b) => a + b, 0) }, (_, i) => i & 255));
      const body = new ReceivedBody();
      let at = 0;
      for (const length of lengths) {
        body.add(whole.subarray(at, at + length));
        at += length;
      }
      assert.ok(body.take().equals(whole));
      assert.equal(body.take().length, 0);
    }),
    { numRuns: 50 },
  );
});

test('a body that came in one piece with its head has memory of its own, but for a small one', () => {
  const chunk = Buffer.alloc(41_000, 'x');
  const large = new ReceivedBody();
  large.add(chunk.subarray(200));
  const body = large.take();
  assert.equal(body.length, 40_800);
  assert.equal(body.buffer.byteLength, 40_800);
  const small = new ReceivedBody();
  small.add(chunk.subarray(200, 300));
  assert.equal(small.take().buffer, chunk.buffer);
});

test('small pieces are copied: the memory they were cut from is not held on to', () => {
  const body = new ReceivedBody();
  const source = Buffer.alloc(300_000, 'x');
  for (let i = 0; i < source.length; i++) body.add(source.subarray(i, i + 1));
  // The first piece may be the whole body and is kept as it is; none of the others is.
  source.fill('y', 1);
  assert.equal(body.take().toString(), 'x'.repeat(source.length));
});

describe('where the memory for bodies is used up', () => {
  const whole = Buffer.from(Array.from({ length: 1_000_000 }, (_, i) => (i * 31) & 255));

  /** All bytes of `whole`, in pieces of these lengths. */
  function fill(body: ReceivedBody, lengths: readonly number[]): void {
    for (let at = 0, i = 0; at < whole.length; i++) {
      const length = lengths[i % lengths.length];
      body.add(whole.subarray(at, at + length));
      at += length;
    }
  }

  for (const lengths of [[60_000], [1], [3, 5000, 70_000]])
    test(`a body in pieces of ${lengths} bytes goes to a file, which leaves no name`, (t) => {
      const folder = temporaryFolder(t);
      let opened = 0;
      const memory = new BodyMemory(3 * 300_000, () => {
        opened++;
        return openBodyFile(join(folder, 'body'));
      });
      const [first, second] = [new ReceivedBody(memory), new ReceivedBody(memory)];
      fill(first, lengths);
      fill(second, lengths);
      assert.equal(opened, 2);
      assert.ok(memory.arriving <= 300_000);
      assert.deepEqual(readdirSync(folder), []);
      assert.deepEqual([first.size, second.size], [whole.length, whole.length]);
      assert.ok(first.take().equals(whole));
      assert.ok(second.take().equals(whole));
      assert.equal(memory.arriving, 0);
    });

  for (const [name, takes] of [
    ['takes no file', -1],
    ['is full after a while', 400_000],
  ] as const)
    test(`a disk that ${name}: the body stays in memory, whole`, (t) => {
      const folder = temporaryFolder(t);
      const memory = new BodyMemory(3 * 300_000, () => {
        if (takes < 0) throw new Error('ENOSPC');
        const file = openBodyFile(join(folder, 'body'));
        let room = takes;
        const append = (piece: Uint8Array): void => {
          room -= piece.length;
          if (room < 0) throw new Error('ENOSPC');
          file.append(piece);
        };
        return { ...file, append };
      });
      const body = new ReceivedBody(memory);
      fill(body, [50_000]);
      assert.ok(body.take().equals(whole));
      assert.equal(memory.arriving, 0);
    });

  test('a body that is not wanted gives its memory back', () => {
    const memory = new BodyMemory(30_000_000, () => assert.fail('no file is needed'));
    const body = new ReceivedBody(memory);
    fill(body, [60_000]);
    assert.equal(memory.arriving, whole.length);
    body.discard();
    assert.equal(memory.arriving, 0);
  });

  test('bodies of one block do not count: as many as there are requests fit at any time', () => {
    const memory = new BodyMemory(3, () => assert.fail('no file is needed'));
    const body = new ReceivedBody(memory);
    body.add(whole.subarray(0, 60_000));
    assert.ok(body.take().equals(whole.subarray(0, 60_000)));
  });
});
