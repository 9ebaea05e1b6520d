import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as source from '../../src/index.ts';

test("`import … from 'orbweaver'` works in a checkout, with all that the library exports", async () => {
  // A name that the type checker does not follow: the declarations are made by the build.
  const name: string = 'orbweaver';
  const library = (await import(name)) as Record<string, unknown>;
  assert.deepEqual({ ...library }, { ...source });
});
