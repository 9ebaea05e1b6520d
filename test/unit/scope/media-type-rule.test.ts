import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import { MediaTypeRule } from '../../../src/scope/media-type-rule.ts';

test('media types', () => {
  const { settings } = resolveSettings();
  const rule = new MediaTypeRule(settings);
  for (const type of [
    undefined,
    '',
    'nonsense',
    'text/html; charset=utf-8',
    'TEXT/HTML',
    'application/rss+xml',
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ]) {
    assert.equal(rule.refusal(type), undefined, type);
    assert.equal(rule.refusal(type), undefined, `${type}, asked again`);
  }
  assert.equal(rule.refusal('image/PNG; x=y'), 'media type image/png');
  assert.equal(rule.refusal('application/octet-stream'), 'media type application/octet-stream');
  assert.equal(new MediaTypeRule({ ...settings, resources: true }).refusal('image/png'), undefined);
  assert.equal(new MediaTypeRule({ ...settings, images: 'fetch' }).refusal('image/png'), undefined);
  assert.equal(new MediaTypeRule({ ...settings, images: 'fetch' }).refusal('video/mp4'), 'media type video/mp4');
  assert.equal(new MediaTypeRule({ mediaTypes: ['*/*'], resources: false, images: 'off' }).refusal('a/b'), undefined);
  assert.equal(
    new MediaTypeRule({ mediaTypes: [], resources: false, images: 'off' }).refusal('text/html'),
    'media type text/html',
  );
});

test('endless types do not fill the memory', () => {
  const rule = new MediaTypeRule({ mediaTypes: ['text/*'], resources: false, images: 'off' });
  for (let index = 0; index < 3000; index++) assert.equal(rule.refusal(`text/x${index}`), undefined);
  assert.equal(rule.refusal('image/png'), 'media type image/png');
});
