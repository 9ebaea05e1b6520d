import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { FileRules } from '../../../src/files/file-rules.ts';
import { FolderWalk } from '../../../src/files/walk-folder.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

async function walked(root: string, roots: readonly string[] = [root]): Promise<string[]> {
  const rules = new FileRules({
    ...{ roots, exclude: [], gitignore: true, hidden: false, safe: true, crawlFolder: '/none' },
  });
  const found: string[] = [];
  for await (const { files } of new FolderWalk(rules).folders()) found.push(...files);
  return found.map((path) => relative(root, path)).sort();
}

test('a walk finds regular files, follows no links and opens nothing else', {
  skip: process.platform === 'win32',
}, async () => {
  using folder = temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/one.txt'), '1');
  writeFileSync(join(root, 'two words ü#?.md'), '2');
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git/config'), '');
  symlinkSync(root, join(root, 'a/loop'));
  symlinkSync('/etc/passwd', join(root, 'passwd.txt'));
  symlinkSync(join(root, 'a/b/one.txt'), join(root, 'link-within.txt'));
  execFileSync('mkfifo', [join(root, 'pipe.txt')]);
  assert.deepEqual(await walked(root), ['a/b/one.txt', 'two words ü#?.md']);
});

test('roots within roots are walked once, and a root may be one file or gone', async () => {
  using folder = temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, 'in'), { recursive: true });
  writeFileSync(join(root, 'in/one.txt'), '1');
  writeFileSync(join(root, 'two.txt'), '2');
  assert.deepEqual(await walked(root, [root, join(root, 'in')]), ['in/one.txt', 'two.txt']);
  assert.deepEqual(await walked(root, [join(root, 'two.txt'), join(root, 'gone')]), ['two.txt']);
});
