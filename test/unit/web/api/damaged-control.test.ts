import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Access } from '../../../../src/web/http/access/access.ts';
import { serve } from '../serving.ts';
import { controlledFolder } from './controlled-folder.ts';

test('a damaged control.db is told with what helps, and is not put aside by itself', async () => {
  using folder = await controlledFolder();
  const path = join(folder.control.folder, 'control.db');
  writeFileSync(path, 'this is no database, and long enough to be looked at as one. '.repeat(20));
  await using served = await serve(folder.parts);
  for (const asked of ['/control', '/api/v1/control']) {
    const { status, text } = await served.get(asked);
    assert.equal(status, 503, asked);
    assert.match(text, /control\.db, which keeps what was asked of the crawl, is damaged\. Move it away\./);
  }
  const pause = () =>
    served.get('/api/v1/control/pause', { 'content-type': 'application/json' }, 'POST', '{}').then((got) => got.status);
  assert.equal(await pause(), 503);
  assert.ok(served.faults.length > 0, 'whoever runs the server is told, too');
  rmSync(path);
  assert.equal(await pause(), 202, 'without a new start');
  assert.equal((await served.get('/control')).status, 200);
});

test('those who only search are not told where the folder is', async () => {
  using folder = await controlledFolder();
  const { OrbweaverError } = await import('../../../../src/base/errors.ts');
  const changes = {
    changes: () => {
      throw new OrbweaverError('FOLDER_CORRUPT', 'The state in /secret/place is damaged.');
    },
  };
  const access = new Access({ controlToken: 'control-token-0123456789', publicSearch: true });
  await using served = await serve({ ...folder.parts, changes, access });
  const { status, text } = await served.get('/changes');
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret/);
});
