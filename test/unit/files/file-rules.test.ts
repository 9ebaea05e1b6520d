import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { type FileRuleOptions, FileRules } from '../../../src/files/file-rules.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function rulesOf(root: string, options: Partial<FileRuleOptions> = {}): (name: string) => string | undefined {
  const rules = new FileRules({
    ...{ roots: [root], exclude: [], gitignore: true, hidden: false, safe: true, crawlFolder: '/none' },
    ...options,
  });
  return (name) => rules.refusal(join(root, name), 'file');
}

describe('FileRules', () => {
  test('what holds secrets, and what nobody looks for, is left out', () => {
    const refusal = rulesOf('/home/me');
    const left = [
      ...[
        '.ssh/config',
        'keys/id_rsa',
        'server.pem',
        'a.kdbx',
        'Mail/archive.mbox',
        'x.pst',
        '.env',
        'prod/.env.local',
      ],
      ...['.mozilla/firefox/x', 'project/node_modules/a/readme.md', 'project/.git/config', '.netrc', 'a/.#lock.txt'],
      ...['film.mp4.part', 'report.docx~', '~$report.docx', '.config/google-chrome/Default/History', 'ID_RSA'],
    ];
    for (const name of left) assert.notEqual(refusal(name), undefined, name);
    for (const name of ['notes.md', 'deep/er/a.txt', 'environment.txt', 'keyboard.txt', 'monkey', 'a.keynote.txt'])
      assert.equal(refusal(name), undefined, name);
  });

  test('each of them can be asked for', () => {
    assert.match(rulesOf('/r')('.notes/a.md') ?? '', /files-hidden/);
    assert.equal(rulesOf('/r', { hidden: true })('.notes/a.md'), undefined);
    assert.match(rulesOf('/r', { hidden: true })('.ssh/config') ?? '', /files-safe/);
    assert.equal(rulesOf('/r', { hidden: true, safe: false })('.ssh/config'), undefined);
  });

  test('ignore files count for what lies below them, the nearest last', () => {
    using folder = temporaryFolder();
    write(folder.path, {
      '.gitignore': 'build/\n*.log\n/only-here.txt\n',
      'sub/.gitignore': '!wanted.log\n',
      'sub/.orbweaverignore': 'draft-*\n',
    });
    const refusal = rulesOf(folder.path);
    for (const name of ['build/a.txt', 'deep/build/a.txt', 'x.log', 'only-here.txt', 'sub/other.log', 'sub/draft-1.md'])
      assert.notEqual(refusal(name), undefined, name);
    for (const name of ['sub/only-here.txt', 'sub/wanted.log', 'draft-1.md', 'builder/a.txt'])
      assert.equal(refusal(name), undefined, name);
    const own = rulesOf(folder.path, { gitignore: false });
    assert.equal(own('x.log'), undefined);
    assert.notEqual(own('sub/draft-1.md'), undefined);
  });

  test('a file in a folder that is left out cannot be taken back', () => {
    using folder = temporaryFolder();
    write(folder.path, { '.gitignore': 'out/\n!out/kept.txt\n', 'out/.gitignore': '!kept.txt\n' });
    assert.notEqual(rulesOf(folder.path)('out/kept.txt'), undefined);
  });

  test('patterns of the settings count besides', () => {
    const refusal = rulesOf('/r', { exclude: ['*.csv', '!kept.csv', '/top/'] });
    assert.equal(refusal('a/b.csv'), 'files-exclude');
    assert.equal(refusal('a/kept.csv'), undefined);
    assert.equal(refusal('top/a.md'), 'files-exclude');
    assert.equal(refusal('sub/top/a.md'), undefined);
  });

  test('nothing outside of the roots belongs to the crawl; a root itself always does', () => {
    const rules = new FileRules({
      ...{ roots: ['/a', '/b/.hidden', '/b/one.pem'], exclude: [], gitignore: true, hidden: false, safe: true },
      crawlFolder: '/a/crawl',
    });
    for (const path of ['/etc/passwd', '/ab/x.txt', '/', '/b/x.txt', '/a/crawl/archive/x.txt'])
      assert.notEqual(rules.refusal(path, 'file'), undefined, path);
    for (const path of ['/a/x.txt', '/b/.hidden/x.txt', '/b/one.pem'])
      assert.equal(rules.refusal(path, 'file'), undefined, path);
  });

  test('the folder of any crawl is left out', () => {
    using folder = temporaryFolder();
    write(folder.path, {
      'other/state.db': '',
      'other/archive/a.warc.gz': '',
      'other/report/x.txt': '',
      'plain/state.db': '',
    });
    assert.match(rulesOf(folder.path)('other/report/x.txt') ?? '', /crawl/);
    assert.equal(rulesOf(folder.path)('plain/x.txt'), undefined);
  });
});
