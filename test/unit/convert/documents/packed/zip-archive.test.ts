import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { ConversionBudget, DEFAULT_CONVERSION_LIMITS } from '../../../../../src/convert/documents/conversion-budget.ts';
import { type PartReading, ZipArchive } from '../../../../../src/convert/documents/packed/zip-archive.ts';
import { readZipDirectory } from '../../../../../src/convert/documents/packed/zip-directory.ts';
import { propertyRuns } from '../../../../property-runs.ts';

function open(bytes: Uint8Array, limits: { maxUnpacked?: number; maxMs?: number } = {}, now: () => number = () => 0) {
  const budget = new ConversionBudget({ ...DEFAULT_CONVERSION_LIMITS, ...limits }, now);
  return { budget, archive: new ZipArchive(bytes, budget) };
}

function read(archive: ZipArchive, name: string): { reading: PartReading; text: string; bytes: number } {
  const pieces: Buffer[] = [];
  const reading = archive.read(name, (bytes) => {
    pieces.push(Buffer.from(bytes));
    return true;
  });
  const all = Buffer.concat(pieces);
  return { reading, text: all.toString('latin1'), bytes: all.length };
}

/** Words that do not repeat, so that they pack badly. */
const words = Array.from({ length: 20_000 }, (_, at) => ((at * 2_654_435_761) >>> 0).toString(36)).join(' ');

describe('ZipArchive', () => {
  test('stored and deflated parts, by names without case', () => {
    const { archive } = open(zipSync({ 'a/B.xml': [strToU8('stored'), { level: 0 }], 'c.xml': strToU8(words) }));
    assert.deepEqual(read(archive, 'A/b.XML'), { reading: 'whole', text: 'stored', bytes: 6 });
    assert.equal(read(archive, 'c.xml').text, words);
    assert.equal(read(archive, 'd.xml').reading, 'missing');
  });

  test('bytes before the archive and after it', () => {
    const bytes = Buffer.concat([Buffer.from('junk'), zipSync({ a: strToU8('text') }), Buffer.alloc(100)]);
    assert.equal(read(open(bytes).archive, 'a').text, 'text');
  });

  test('an archive cut short gives what is left of it', () => {
    const whole = zipSync({ first: strToU8('the first part'), second: strToU8(words) });
    const { archive } = open(whole.subarray(0, whole.length >> 1));
    assert.deepEqual(archive.names, ['first', 'second']);
    assert.equal(read(archive, 'first').text, 'the first part');
    const second = read(archive, 'second').text;
    assert.ok(second.length > words.length / 4);
    assert.ok(words.startsWith(second));
  });

  test('damage inside of a part costs only what comes after it', () => {
    const bytes = zipSync({ part: strToU8(words) });
    bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 64);
    const { text } = read(open(bytes).archive, 'part');
    const intact = [...text].findIndex((char, at) => char !== words[at]);
    assert.ok(intact === -1 || intact > words.length / 4);
  });

  test('entries that share their bytes are a bomb; an entry that is listed twice is none', () => {
    // Names are looked for among the bytes: those of the time of day may be letters, too.
    const mtime = new Date(2020, 0, 1);
    const bytes = Buffer.from(zipSync({ a: strToU8(words), b: strToU8('b'), c: strToU8('c') }, { mtime }));
    const central = (name: string): number => bytes.lastIndexOf(Buffer.from(name)) - 46;
    // What "b" holds is told to be what "a" holds.
    bytes.writeUInt32LE(bytes.readUInt32LE(central('a') + 42), central('b') + 42);
    bytes.writeUInt32LE(bytes.readUInt32LE(central('a') + 20), central('b') + 20);
    const { archive, budget } = open(bytes);
    assert.equal(read(archive, 'c').text, 'c');
    assert.equal(budget.bomb, false);
    assert.equal(read(archive, 'b').reading, 'exhausted');
    assert.equal(budget.bomb, true);
    const twice = Buffer.from(zipSync({ a: strToU8('text'), b: strToU8('text') }, { mtime }));
    const [first, second] = ['a', 'b'].map((name) => twice.lastIndexOf(Buffer.from(name)) - 46);
    twice.copy(twice, second, first, first + 47);
    assert.equal(read(open(twice).archive, 'a').text, 'text');
  });

  test('a bomb is told before it is unpacked', () => {
    const bytes = zipSync({ bomb: new Uint8Array(12_000_000) });
    const { archive, budget } = open(bytes, { maxUnpacked: 10_000_000 });
    assert.deepEqual(read(archive, 'bomb'), { reading: 'exhausted', text: '', bytes: 0 });
    assert.equal(budget.bomb, true);
  });

  test('a bomb that lies about its size is told while it is unpacked', () => {
    const bytes = Buffer.from(zipSync({ bomb: new Uint8Array(20_000_000) }));
    bytes.writeUInt32LE(100, bytes.indexOf('PK\x01\x02', 'latin1') + 24);
    const { archive, budget } = open(bytes);
    const { reading, bytes: unpacked } = read(archive, 'bomb');
    assert.equal(reading, 'exhausted');
    assert.ok(unpacked < 20_000_000);
    assert.equal(budget.bomb, true);
  });

  test('the limit holds for all parts together', () => {
    const { archive, budget } = open(zipSync({ a: strToU8(words), b: strToU8(words) }), {
      maxUnpacked: Math.round(words.length * 1.5),
    });
    assert.equal(read(archive, 'a').reading, 'whole');
    assert.equal(read(archive, 'b').reading, 'exhausted');
    assert.equal(budget.exhausted, 'size');
    assert.equal(budget.bomb, false);
  });

  test('time runs out between steps', () => {
    let now = 0;
    const { archive, budget } = open(zipSync({ a: strToU8(words) }), { maxMs: 3 }, () => now++);
    assert.equal(read(archive, 'a').reading, 'exhausted');
    assert.equal(budget.exhausted, 'time');
  });

  test('a sink that has enough is asked no more', () => {
    const { archive } = open(zipSync({ a: strToU8(words) }));
    let asked = 0;
    const reading = archive.read('a', () => {
      asked++;
      return false;
    });
    assert.deepEqual([reading, asked], ['stopped', 1]);
  });

  test('sizes that need 64 bits', () => {
    const bytes = Buffer.from(zipSync({ a: [strToU8('text'), { level: 0, extra: { 1: new Uint8Array(8) } }] }));
    const central = bytes.indexOf('PK\x01\x02', 'latin1');
    bytes.writeUInt32LE(0xffffffff, central + 24);
    bytes.writeBigUInt64LE(4n, bytes.length - 22 - 8);
    assert.equal(readZipDirectory(bytes)[0].unpacked, 4);
  });

  test('any bytes end', () => {
    const whole = zipSync({ 'a.xml': strToU8(words.slice(0, 3_000)), b: [strToU8('stored'), { level: 0 }] });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 20 }),
        fc.nat(whole.length),
        (changes, cut) => {
          const bytes = Uint8Array.from(whole).subarray(0, cut);
          for (const [at, value] of changes) if (at < cut) bytes[at] = value;
          const { archive } = open(bytes, { maxUnpacked: 1_000_000 });
          for (const name of archive.names) assert.ok(read(archive, name).bytes <= 20_000_000);
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });
});
