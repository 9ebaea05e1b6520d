import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeFolder } from '../../../src/base/make-folder.ts';

describe('makeFolder', () => {
  const place = mkdtempSync(join(tmpdir(), 'orbweaver-'));
  after(() => rmSync(place, { recursive: true, force: true }));

  test('makes the folders around it, and is content with one that is there', () => {
    const folder = join(place, 'a', 'b', 'c');
    makeFolder(folder);
    makeFolder(folder);
    assert.ok(statSync(folder).isDirectory());
  });

  test('fails where a file is in the way', () => {
    writeFileSync(join(place, 'file'), '');
    assert.throws(() => makeFolder(join(place, 'file')), { code: 'EEXIST' });
    assert.throws(() => makeFolder(join(place, 'file', 'below')));
  });

  test('fails where the system lets nobody make one', { skip: process.platform !== 'linux' && 'Linux only' }, () => {
    assert.throws(() => makeFolder('/proc/orbweaver/crawl'), { code: 'ENOENT' });
  });
});
