import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorkingCopy } from '../../../../src/engines/postgres/working-copy.ts';
import { STATE_PAGE_BYTES } from '../../../../src/engines/sqlite/state-database.ts';
import { workingCopyOf } from '../../../../src/engines/sqlite/working-copy-mark.ts';

test('a working copy that is damaged is made again', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-copy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'state.db');
  const make = (): void => {
    using copy = new WorkingCopy(path, 'store', 0);
    copy.record();
    assert.equal(workingCopyOf(copy.db), 'store');
    assert.equal(copy.db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  };
  make();
  for (const from of [STATE_PAGE_BYTES, 0]) {
    writeFileSync(path, readFileSync(path).fill(0xaa, from));
    make();
  }
});
