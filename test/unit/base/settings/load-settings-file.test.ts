import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadSettingsFile } from '../../../../src/base/settings/load-settings-file.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';

describe('settings file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-settings-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function fileWith(text: string): Promise<string> {
    const path = join(folder, 'orbweaver.yaml');
    await writeFile(path, text);
    return path;
  }

  test('YAML of every kind', async () => {
    const path = await fileWith(`
# a comment
max-pages: 100
max-bytes: 1GiB
delay: 2s
robots: yes
max-depth: unlimited
exclude:
  - "*/calendar/*"
  - re:\\?page=\\d{3,}
hosts: { a.test: 127.0.0.1 }
header:
  https://a.test:
    - "X-A: 1"
`);
    const { settings } = resolveSettings({ file: await loadSettingsFile(path) });
    assert.equal(settings.maxPages, 100);
    assert.equal(settings.maxBytes, 2 ** 30);
    assert.equal(settings.delay, 2000);
    assert.equal(settings.robots, true);
    assert.equal(settings.maxDepth, Number.POSITIVE_INFINITY);
    assert.deepEqual(settings.exclude, ['*/calendar/*', 're:\\?page=\\d{3,}']);
    assert.deepEqual({ ...settings.hosts }, { 'a.test': '127.0.0.1' });
    assert.deepEqual({ ...settings.header }, { 'https://a.test': ['X-A: 1'] });
  });

  test('an empty file and, where it is optional, a missing one', async () => {
    assert.deepEqual(await loadSettingsFile(await fileWith('# nothing\n')), {});
    assert.deepEqual(await loadSettingsFile(join(folder, 'absent.yaml'), { optional: true }), {});
  });

  test('errors name the line', async () => {
    const cases: [string, RegExp][] = [
      ['delay: 2s\nrobots: [1, 2\n', /orbweaver\.yaml, line [23]: /],
      ['delay: 2s\ndelay: 3s\n', /line 2: /],
      ['\n- delay\n- robots\n', /line 2: a settings file consists of lines/],
      ['just words', /line 1: a settings file consists of lines/],
    ];
    for (const [text, message] of cases) {
      await assert.rejects(loadSettingsFile(await fileWith(text)), { code: 'SETTINGS_FILE_UNREADABLE', message });
    }
  });

  test('a missing file, and a folder in its place', async () => {
    await assert.rejects(loadSettingsFile(join(folder, 'absent.yaml')), {
      code: 'SETTINGS_FILE_UNREADABLE',
      message: /it does not exist/,
    });
    await assert.rejects(loadSettingsFile(folder, { optional: true }), { code: 'SETTINGS_FILE_UNREADABLE' });
  });
});
