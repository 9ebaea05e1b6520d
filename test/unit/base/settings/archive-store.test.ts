import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArchiveStore } from '../../../../src/base/settings/archive-store.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';

test('the address of an archive store: bucket, prefix, and where it is not at Amazon', () => {
  const none = { endpoint: '', region: '' };
  assert.deepEqual(parseArchiveStore('s3://pages'), { bucket: 'pages', prefix: '', ...none, addressing: 'host' });
  assert.deepEqual(parseArchiveStore('s3://a.b.c/x/y/'), {
    ...{ bucket: 'a.b.c', prefix: 'x/y/', ...none },
    addressing: 'path',
  });
  assert.deepEqual(parseArchiveStore('s3://pages/x?endpoint=http://localhost:9000/&region=eu-west-1'), {
    ...{ bucket: 'pages', prefix: 'x/', endpoint: 'http://localhost:9000', region: 'eu-west-1' },
    addressing: 'path',
  });
  assert.equal(parseArchiveStore('s3://pages?endpoint=https://host&addressing=host')?.addressing, 'host');
});

test('whatever else is no address; least of all one with a password', () => {
  for (const wrong of [
    ...['', 'pages', 'http://pages', 's3://', 's3://a', 's3://pages/../x', 's3://pages/a b', 's3://pages/x#y'],
    ...['s3://key:secret@pages/x', 's3://pages?endpoint=https://key:secret@host', 's3://pages?endpoint=ftp://host'],
    ...[
      's3://pages?secret=x',
      's3://pages?region=A%20b',
      's3://pages?addressing=both',
      's3://pages?endpoint=https://host&endpoint=https://key:secret@host',
      's3://pages?endpoint=https://h/p',
    ],
  ])
    assert.equal(parseArchiveStore(wrong), undefined, wrong);
});

test('settings that do not go together are refused', () => {
  const resolve = (flags: Record<string, string>) => resolveSettings({ flags, env: {}, file: {} });
  assert.throws(() => resolve({ archiveLocal: 'delete' }), /needs archive-store/);
  assert.throws(() => resolve({ archiveStore: 's3://pages', archiveFileSize: '6gb' }), /5 GB/);
  assert.throws(
    () => resolve({ archiveStore: 's3://pages?endpoint=https://me:hid/d@en@host' }),
    ({ message }: Error) => message.includes('s3://bucket') && !/hid|en@/.test(message),
    'without the password',
  );
  assert.equal(resolve({ archiveStore: 's3://pages', archiveLocal: 'delete' }).settings.archiveLocal, 'delete');
});
