import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { ArchiveSet } from '../../../../src/archive/archive-set.ts';
import { repairArchive } from '../../../../src/archive/mend/repair-archive.ts';
import { ArchiveShipper, type ArchiveShipperParts } from '../../../../src/archive/shipping/archive-shipper.ts';
import { bringBack } from '../../../../src/archive/shipping/bring-back.ts';
import { ObjectStoreFailure } from '../../../../src/archive/shipping/object-store.ts';
import { openObjectStore } from '../../../../src/archive/shipping/open-object-store.ts';
import { ShippedMarkers } from '../../../../src/archive/shipping/shipped-markers.ts';
import type { Clock } from '../../../../src/base/clock.ts';
import type { PutLocation } from '../../../../src/contracts/archive.ts';
import { S3Server } from '../../../s3-server.ts';
import { entryOf, NOON, testArchive } from '../archive-fixture.ts';

const KEYS = { accessKeyId: 'AKTESTKEY', secretAccessKey: 'a/very+secret/key' };
const env = { AWS_ACCESS_KEY_ID: KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey };

/** However long it is to wait, it is over soon. */
const hurried: Clock = {
  now: () => Date.now(),
  sleep: (_ms, signal?: AbortSignal) => wait(1, undefined, { signal }).catch(() => {}),
};

/** As long as somebody looks every second for whether all is done: the look after the next one waits for a condition. */
const STEP_MS = 1000;

describe('shipping archive files', () => {
  let server: S3Server;
  let folder: string;
  let settled: Map<string, { fileEnd: number; indexEnd: number }>;
  let troubles: string[];

  const put = async (count: number, options: Parameters<typeof testArchive>[1] = {}): Promise<PutLocation[]> => {
    await using archive = testArchive(folder, options);
    const places: PutLocation[] = [];
    for (let number = 0; number < count; number++) {
      const place = await archive.put(entryOf({ url: `http://example.org/${number}` }));
      settled.set(place.file, place);
      places.push(place);
    }
    return places;
  };

  const shipperOf = (parts: Partial<ArchiveShipperParts> = {}): ArchiveShipper => {
    const address = server.address('crawls');
    return new ArchiveShipper({
      ...{ folder, address, prefix: 'crawls/one/', deletes: false, clock: hurried, random: () => 0.5 },
      openStore: (signal) => openObjectStore(address, { env, signal }),
      settled: async () => settled,
      shipped: [new ShippedMarkers(folder)],
      onTrouble: (message) => troubles.push(message),
      ...parts,
    });
  };

  /** As a run that has just ended does it. */
  const shipAll = async (parts: Partial<ArchiveShipperParts> = {}) => {
    await using shipper = shipperOf(parts);
    return await shipper.finish(Number.POSITIVE_INFINITY);
  };

  /** The same, but it loses patience when something has gone wrong. */
  const tryToShip = async (parts: Partial<ArchiveShipperParts> = {}) => {
    const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
      do await hurried.sleep(ms, signal);
      while (ms === STEP_MS && troubles.length === 0 && signal?.aborted === false);
    };
    await using shipper = shipperOf({ ...parts, clock: { ...hurried, sleep } });
    return await shipper.finish(2 * STEP_MS);
  };

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await wait(5);
  };

  const marker = (file: string) => new ShippedMarkers(folder).read(file);

  before(() => Object.assign(process.env, env));
  after(() => {
    for (const name of Object.keys(env)) delete process.env[name];
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'orbweaver-shipping-'));
    settled = new Map();
    troubles = [];
    server = await S3Server.start({ ...KEYS, bucket: 'archive' });
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    for (const made of [folder, `${folder}-away`]) rmSync(made, { recursive: true, force: true });
  });

  test('a file is shipped when the next is begun, under a key of its own, and what it holds is the same', async () => {
    await using shipper = shipperOf();
    await shipper.start();
    await using archive = testArchive(folder, { maxFileBytes: 1 });
    const first = await archive.put(entryOf({ url: 'http://example.org/a' }));
    settled.set(first.file, first);
    const second = await archive.put(entryOf({ url: 'http://example.org/b' }));
    await until(() => existsSync(join(folder, first.file.replace('.warc.gz', '.shipped'))));
    assert.deepEqual(server.files, [`crawls/one/${first.file}`]);
    assert.deepEqual(server.objects.get(`crawls/one/${first.file}`)?.bytes, readFileSync(join(folder, first.file)));
    const index = server.objects.get(`crawls/one/${first.file.replace('.warc.gz', '.cdxj')}`)?.bytes.toString();
    assert.match(index ?? '', /^org,example\)\/a \d{14} \{/);
    // The one that grows, and that nothing of is settled, stays.
    assert.equal(await marker(second.file), undefined);
    assert.deepEqual(troubles, []);
  });

  test('of a file with an unsettled end the settled part is shipped, and only when nobody writes any more', async () => {
    const [place] = await put(1);
    const whole = readFileSync(join(folder, place.file));
    writeFileSync(join(folder, place.file), Buffer.concat([whole, Buffer.from('torn')]));
    assert.deepEqual(await shipAll(), { files: [], why: '' });
    assert.deepEqual(server.objects.get(`crawls/one/${place.file}`)?.bytes, whole);
    assert.equal((await marker(place.file))?.bytes, place.fileEnd);
  });

  test('killed between the upload and the note: the same file is found there, and not sent again', async () => {
    const [place] = await put(1);
    const forgetful = {
      read: async () => undefined,
      write: () => Promise.reject(new Error('killed')),
      remove: async () => {},
    };
    assert.deepEqual((await tryToShip({ shipped: [forgetful] })).files, [place.file]);
    const sent = server.count('PUT');
    assert.equal(sent, 2);
    assert.deepEqual((await shipAll()).files, []);
    assert.equal(server.count('PUT'), sent);
    assert.equal((await marker(place.file))?.key, `crawls/one/${place.file}`);
    // Known now: not even asked for.
    const asked = server.requests.length;
    assert.deepEqual((await shipAll()).files, []);
    assert.equal(server.requests.length, asked);
  });

  test('an outage: errors, broken connections and lost answers are tried again until it is there', async () => {
    await put(3, { maxFileBytes: 1 });
    const faults = [
      ...[{ status: 500 }, { status: 503 }, { reset: 'while-sending' }, { reset: 'after-storing' }, { slowMs: 20 }],
      ...[{ status: 403 }, undefined, { reset: 'while-sending' }],
    ] as const;
    let asked = 0;
    server.fault = () => faults[asked++];
    assert.deepEqual((await shipAll()).files, []);
    assert.equal(server.files.length, 3);
    assert.ok(asked > faults.length);
    assert.match(troubles[0], /not shipped to s3:\/\/archive\/crawls\S* at the moment: it answers 500\. They stay/);
    assert.match(troubles.at(-1) ?? '', /again/);
  });

  test('a store that stays away: what is left is told, with the reason, and the next run ships it', async () => {
    await put(2, { maxFileBytes: 1 });
    server.fault = () => ({ status: 503 });
    const { files, why } = await tryToShip({});
    assert.equal(files.length, 2);
    assert.match(why, /503/);
    server.fault = () => undefined;
    assert.deepEqual((await shipAll()).files, []);
  });

  for (const fault of [{ lies: 'checksum' }, { lies: 'size' }, { corrupts: true }] as const)
    test(`never confirmed, and never deleted: ${JSON.stringify(fault)}`, async () => {
      const [place] = await put(1);
      server.fault = () => fault;
      const { files, why } = await tryToShip({ deletes: true });
      assert.deepEqual(files, [place.file]);
      assert.match(why, /not what was sent/);
      assert.equal(await marker(place.file), undefined);
      assert.ok(existsSync(join(folder, place.file)));
      server.fault = () => undefined;
      assert.deepEqual((await shipAll({ deletes: true })).files, []);
      assert.ok(!existsSync(join(folder, place.file)));
    });

  test('a store without checksums is believed by its ETag, or else by what is read back', async () => {
    await using plain = await S3Server.start({ ...KEYS, bucket: 'archive', checksums: false, conditions: false });
    const openStore = (signal: AbortSignal) => openObjectStore(plain.address('x'), { env, signal });
    const [place] = await put(1);
    plain.fault = ({ method }) => (method === 'PUT' ? { corrupts: true } : { lies: 'etag' });
    assert.deepEqual((await tryToShip({ openStore })).files, [place.file]);
    const key = `crawls/one/${place.file}`;
    const isReadBack = (): boolean => plain.requests.some((one) => one.method === 'GET' && one.key === key);
    assert.ok(isReadBack());
    plain.objects.clear();
    plain.requests.length = 0;
    plain.fault = ({ method }) => (method === 'PUT' ? undefined : { lies: 'etag' });
    assert.deepEqual((await shipAll({ openStore })).files, []);
    assert.ok(isReadBack());
    const [next] = await put(1);
    plain.requests.length = 0;
    plain.fault = () => undefined;
    assert.deepEqual((await shipAll({ openStore })).files, []);
    assert.ok(plain.files.includes(`crawls/one/${next.file}`) && plain.count('GET') === 0);
  });

  test("another's object under the same key is never overwritten", async () => {
    const [place] = await put(1);
    const other = { bytes: Buffer.from('of another crawl'), sha256: '' };
    server.objects.set(`crawls/one/${place.file}`, other);
    assert.deepEqual((await shipAll()).files, []);
    assert.equal(server.objects.get(`crawls/one/${place.file}`), other);
    const { key = '', bytes } = (await marker(place.file)) ?? {};
    assert.match(key, /^crawls\/one\/[0-9a-f]{16}\/orbweaver-/);
    assert.equal(server.objects.get(key)?.bytes.length, bytes);
  });

  test('deleted when it is confirmed: the next start finds nothing lost, and pages, texts and versions are read by ranges', async () => {
    const places = await put(3, { maxFileBytes: 1 });
    assert.deepEqual((await shipAll({ deletes: true })).files, []);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.warc.gz')),
      [],
    );
    const report = await repairArchive(folder, settled);
    assert.deepEqual(report, { removed: [], cut: [], reindexed: [], lost: [] });
    const archive = testArchive(folder);
    const document = await archive.readAt(places[1]);
    assert.equal(document?.url, 'http://example.org/1');
    assert.equal((await archive.get(document.url as never))?.location.file, places[1].file);
    const ranges = server.requests.filter(({ method }) => method === 'GET');
    assert.ok(ranges.length > 0 && ranges.every(({ range, status }) => range !== undefined && status === 206));
    const urls: string[] = [];
    for await (const { url } of archive.scan()) urls.push(url);
    assert.equal(urls.length, 3);
    const lost = await repairArchive(
      folder,
      new Map([...settled, ['orbweaver-20260101000000-00009-x.warc.gz', { fileEnd: 9, indexEnd: 9 }]]),
    );
    assert.equal(lost.lost.length, 1, 'what was never shipped is lost all the same');
  });

  test('where nobody can tell what is settled, the end of a run says so, and leaves the files', async () => {
    const [place] = await put(1);
    const gone = () => Promise.reject(new Error('the database has gone'));
    const { files, why } = await tryToShip({ settled: gone, deletes: true });
    assert.deepEqual([files, why], [[place.file], 'the database has gone']);
    assert.ok(existsSync(join(folder, place.file)));
  });

  test('noted as shipped, but not in the store any more: sent again before it is deleted', async () => {
    const [place] = await put(1);
    assert.deepEqual((await shipAll()).files, []);
    // As a deletion of some of its records leaves it that is killed before it forgets where the file was shipped to.
    for (const kept of [[], [`crawls/one/${place.file}`]]) {
      for (const key of server.objects.keys()) if (!kept.includes(key)) server.objects.delete(key);
      server.fault = () => ({ status: 503 });
      await tryToShip({ deletes: true });
      assert.ok(existsSync(join(folder, place.file)), 'nothing is deleted while nobody confirms it');
      server.fault = () => undefined;
      const whole = readFileSync(join(folder, place.file));
      assert.deepEqual((await shipAll({ deletes: true })).files, []);
      assert.deepEqual(server.objects.get(`crawls/one/${place.file}`)?.bytes, whole);
      assert.equal(server.objects.size, 2);
      assert.ok(!existsSync(join(folder, place.file)));
      writeFileSync(join(folder, place.file), whole);
    }
  });

  test('from another machine: pages and versions by what was noted elsewhere, revisits by the indexes in the store', async () => {
    await using archive = testArchive(folder, { maxFileBytes: 1 });
    const url = 'http://example.org/page';
    const first = await archive.put(entryOf({ url }));
    const revisit = await archive.put(entryOf({ url, at: NOON + 1000, revisitOf: { url, date: NOON } }));
    for (const place of [first, revisit]) settled.set(place.file, place);
    await archive.close();
    assert.deepEqual((await shipAll()).files, []);
    const records = new Map([...settled.keys()].map((file) => [file, marker(file)]));
    for (const [file, record] of records) records.set(file, Promise.resolve(await record));
    renameSync(folder, `${folder}-away`);
    mkdirSync(folder);
    const shipped = {
      read: async (file: string) => await records.get(file),
      files: async () => [...settled.keys()].sort(),
    };
    const set = new ArchiveSet([], {
      ...{ writerId: 'reader', clock: hurried, software: '', userAgent: '', robots: '', shipped },
    });
    assert.ok(await set.has(first.file));
    assert.ok(!(await set.has('orbweaver-20260101000000-00009-x.warc.gz')));
    const versions = await set.versions(url as never);
    assert.deepEqual(
      versions.map(({ file, revisit: is }) => [file, is]),
      [
        [first.file, false],
        [revisit.file, true],
      ],
    );
    const document = await set.readAt(revisit);
    assert.deepEqual(document?.body, (await set.readAt(first))?.body);
    assert.ok((document?.body.length ?? 0) > 0);
    server.fault = () => ({ status: 403 });
    await assert.rejects(async () => await set.readAt(first), { code: 'ARCHIVE_STORE_FAILED', message: /403/ });
  });

  test('keys come from a file where the environment has none; without any nothing begins', async () => {
    const path = join(folder, 'keys');
    writeFileSync(
      path,
      `[other]\naws_access_key_id = no\n[mine]\naws_access_key_id = ${KEYS.accessKeyId}\naws_secret_access_key=${KEYS.secretAccessKey}\n`,
    );
    const byFile = await openObjectStore(server.address('x'), {
      env: { AWS_SHARED_CREDENTIALS_FILE: path, AWS_PROFILE: 'mine' },
    });
    assert.equal(await byFile.head('nothing'), undefined);
    const none = await openObjectStore(server.address('x'), { env: { AWS_SHARED_CREDENTIALS_FILE: path } });
    await assert.rejects(none.head('x'), { code: 'SETTING_INVALID' });
    const wrong = await openObjectStore(server.address('x'), { env: { ...env, AWS_SECRET_ACCESS_KEY: 'wrong' } });
    await assert.rejects(wrong.head('x'), { message: /403: the keys are wrong/ });
    await using tokens = await S3Server.start({
      ...KEYS,
      ...{ bucket: 'archive', sessionToken: 'token', region: 'eu-central-1' },
    });
    const session = await openObjectStore(tokens.address('x'), { env: { ...env, AWS_SESSION_TOKEN: 'token' } });
    assert.equal(await session.head('nothing'), undefined);
    assert.equal(tokens.requests[0].status, 404);
  });

  test('keys that no request can carry are never part of what is told', async () => {
    for (const broken of [
      { ...env, AWS_SESSION_TOKEN: 'hidden\ntoken' },
      { ...env, AWS_SESSION_TOKEN: 'hidden\u2713token' },
      { ...env, AWS_ACCESS_KEY_ID: 'hidden\nid' },
      { ...env, AWS_ACCESS_KEY_ID: 'hidden\u2713id' },
    ]) {
      const store = await openObjectStore(server.address('x'), { env: broken });
      await assert.rejects(store.head('x'), (error: Error) => {
        assert.ok(error instanceof ObjectStoreFailure, error.stack);
        assert.match(error.message, /keys/);
        assert.doesNotMatch(`${error.stack}${String(error.cause)}`, /hidden/);
        return true;
      });
    }
    const padded = { AWS_ACCESS_KEY_ID: `${KEYS.accessKeyId}\n`, AWS_SECRET_ACCESS_KEY: `${KEYS.secretAccessKey}\n` };
    const store = await openObjectStore(server.address('x'), { env: padded });
    assert.equal(await store.head('nothing'), undefined, 'a line end behind a key is none of it');
  });

  test('no more comes back from the store than was shipped', async () => {
    const [place] = await put(1);
    assert.deepEqual((await shipAll({ deletes: true })).files, []);
    const path = join(folder, place.file);
    const key = `crawls/one/${place.file}`;
    const { bytes = Buffer.alloc(0) } = server.objects.get(key) ?? {};
    server.objects.set(key, { bytes: Buffer.concat([bytes, Buffer.alloc(32 << 20)]), sha256: '' });
    let largest = 0;
    const watch = setInterval(() => {
      // It may be there at one look and gone at the next.
      largest = Math.max(largest, statSync(`${path}.part`, { throwIfNoEntry: false })?.size ?? 0);
    }, 1);
    await assert.rejects(bringBack(path), { code: 'ARCHIVE_STORE_FAILED', message: /is not what was shipped/ });
    clearInterval(watch);
    assert.ok(largest <= bytes.length, `${largest} bytes were written of ${bytes.length}`);
    assert.ok(!existsSync(path) && !existsSync(`${path}.part`));
    server.objects.set(key, { bytes, sha256: '' });
    assert.ok(await bringBack(path));
    assert.deepEqual(readFileSync(path), bytes);
  });
});
