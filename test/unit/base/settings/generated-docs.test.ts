import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outdatedPages } from '../../../../tools/generate-docs.ts';

test('docs/settings.md and docs/errors.md say what the source says (node tools/generate-docs.ts)', async () => {
  assert.deepEqual(await outdatedPages(new URL('../../../../', import.meta.url)), []);
});
