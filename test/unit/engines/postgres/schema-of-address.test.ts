import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaOf } from '../../../../src/engines/postgres/open-postgres-state.ts';

test('an address names its schema; one that is none is refused without being shown', () => {
  assert.equal(schemaOf('postgres://db.example.org/crawls'), 'orbweaver');
  assert.equal(schemaOf('postgresql://u:secret@db.example.org/crawls?schema=news'), 'news');
  for (const wrong of ['nonsense', '', 'postgres://[secret', 'https://u:secret@db.example.org/x', 'my-crawl'])
    assert.throws(() => schemaOf(wrong), {
      code: 'SETTING_INVALID',
      message: /^This is not the address of a PostgreSQL database\.$/,
    });
  assert.throws(() => schemaOf('postgres://db.example.org/x?schema=A%20B'), { code: 'SETTING_INVALID' });
});
