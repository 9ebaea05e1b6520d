import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partName } from '../../../../../src/convert/documents/open-xml/ooxml-package.ts';

test('no target of a relationship leads out of the archive', () => {
  assert.equal(partName('word/', 'media/a.xml'), 'word/media/a.xml');
  assert.equal(partName('word/', '../../../../etc/passwd'), 'etc/passwd');
  assert.equal(partName('word/', '/etc/passwd'), 'etc/passwd');
  assert.equal(partName('word/', '..\\..\\x.xml'), 'x.xml');
});
