import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { FetchRequest, FetchResult } from '../../../src/contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { fileTypeOf } from '../../../src/crawl/files/file-type.ts';
import { FileFetcher, type FileFetcherParts } from '../../../src/files/file-fetcher.ts';
import { FileRules } from '../../../src/files/file-rules.ts';
import { fileUrlOf } from '../../../src/url/file-url.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

/** A folder with its fetcher; files in it are old unless a test writes them anew. */
function openFolder(parts: Partial<FileFetcherParts> = {}) {
  const folder = temporaryFolder();
  const root = realpathSync(folder.path);
  const rules = new FileRules({
    ...{ roots: [root], exclude: [], gitignore: true, hidden: false, safe: true, crawlFolder: '/none' },
  });
  const fetcher = new FileFetcher({
    ...{
      rules: () => rules,
      clock: systemClock,
      typeOf: fileTypeOf,
      maxBytes: () => 1_000_000,
      quietMs: 500,
      ...parts,
    },
  });
  return {
    root,
    write(name: string, content: string | Uint8Array): string {
      writeFileSync(join(root, name), content);
      utimesSync(join(root, name), 1_000_000, 1_000_000);
      return join(root, name);
    },
    fetch: (path: string, request: Partial<FetchRequest> = {}) => fetcher.fetch({ url: fileUrlOf(path), ...request }),
    raw: (url: string) => fetcher.fetch({ url: url as CanonicalUrl }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function statusOf(result: FetchResult): number | string {
  return result.kind === 'response' ? result.head.status : result.kind === 'failed' ? result.code : result.kind;
}

describe('FileFetcher', () => {
  test('a file is a page with type, time and version; the same version is not sent again', async () => {
    using folder = openFolder();
    const path = folder.write('a b.md', '# Hello\n');
    const result = await folder.fetch(path);
    assert(result.kind === 'response');
    assert.equal(new TextDecoder().decode(result.body), '# Hello\n');
    assert.equal(result.head.header('content-type'), 'text/markdown');
    assert.equal(result.head.header('last-modified'), 'Mon, 12 Jan 1970 13:46:40 GMT');
    const etag = result.head.header('etag') ?? '';
    assert.equal(statusOf(await folder.fetch(path, { validators: { etag } })), 304);
    folder.write('a b.md', '# Hello!\n');
    assert.equal(statusOf(await folder.fetch(path, { validators: { etag } })), 200);
  });

  test('a folder that is a link only while the file is opened leads nowhere', {
    skip: process.platform === 'win32',
  }, async () => {
    using outside = temporaryFolder();
    writeFileSync(join(outside.path, 'a.txt'), 'a secret of another folder');
    utimesSync(join(outside.path, 'a.txt'), 1_000_000, 1_000_000);
    let root = '';
    const swap = (): void => {
      renameSync(join(root, 'sub'), join(root, 'kept'));
      symlinkSync(realpathSync(outside.path), join(root, 'sub'));
    };
    const restore = (): void => {
      unlinkSync(join(root, 'sub'));
      renameSync(join(root, 'kept'), join(root, 'sub'));
    };
    using folder = openFolder({
      rules: () => {
        swap();
        return { refusal: () => undefined };
      },
      open: async (path, flags) => {
        const file = await open(path, flags);
        restore();
        return file;
      },
    });
    root = folder.root;
    mkdirSync(join(root, 'sub'));
    folder.write('sub/a.txt', 'mine');
    assert.equal(statusOf(await folder.fetch(join(root, 'sub/a.txt'))), 'file-changing');
  });

  test('what is not there, left out, a link, a folder, a pipe or elsewhere is not read', {
    skip: process.platform === 'win32',
  }, async () => {
    using folder = openFolder();
    folder.write('.hidden', 'x');
    mkdirSync(join(folder.root, 'sub'));
    symlinkSync('/etc/passwd', join(folder.root, 'passwd.txt'));
    symlinkSync('/etc', join(folder.root, 'etc'));
    execFileSync('mkfifo', [join(folder.root, 'pipe.txt')]);
    const answers = await Promise.all(
      ['gone.txt', '.hidden', 'sub', 'passwd.txt', 'etc/passwd', 'pipe.txt'].map((name) =>
        folder.fetch(join(folder.root, name)),
      ),
    );
    assert.deepEqual(answers.map(statusOf), [404, 410, 410, 410, 410, 410]);
    assert.equal(statusOf(await folder.fetch('/etc/passwd')), 410);
    for (const url of ['file:///%00', 'file:///a%2Fb', `${fileUrlOf(folder.root)}/..%2F..%2Fetc/passwd`])
      assert.match(String(statusOf(await folder.raw(url))), /^4(04|10)$/);
  });

  test('a folder on the way that has become a link leads nowhere', { skip: process.platform === 'win32' }, async () => {
    using outside = temporaryFolder();
    using folder = openFolder();
    mkdirSync(join(folder.root, 'sub'));
    const path = folder.write('sub/a.txt', 'inside');
    assert.equal(statusOf(await folder.fetch(path)), 200);
    renameSync(join(folder.root, 'sub'), join(outside.path, 'sub'));
    symlinkSync(join(outside.path, 'sub'), join(folder.root, 'sub'));
    assert.equal(statusOf(await folder.fetch(path)), 410);
  });

  test('a file that was just written is waited for, and left alone while it changes', async () => {
    let path = '';
    const slept: number[] = [];
    let isWriting = true;
    const clock: Clock = {
      now: () => Date.now(),
      async sleep(ms) {
        slept.push(ms);
        if (isWriting) appendFileSync(path, 'more');
      },
    };
    using folder = openFolder({ clock, quietMs: 60_000 });
    path = join(folder.root, 'fresh.txt');
    writeFileSync(path, 'begun ');
    assert.equal(statusOf(await folder.fetch(path)), 'file-changing');
    isWriting = false;
    assert.equal(statusOf(await folder.fetch(path)), 200);
    assert.equal(slept.length, 2);
    assert(slept.every((ms) => ms > 0 && ms <= 60_000));
  });

  test('a file that changes while it is read is not kept', async () => {
    using folder = openFolder();
    const path = folder.write('log.txt', 'x'.repeat(20_000));
    const admit = async (): Promise<void> => appendFileSync(path, 'more');
    assert.equal(statusOf(await folder.fetch(path, { admit })), 'file-changing');
  });

  test('a file that may not be read fails, once', {
    skip: process.getuid?.() === 0 || process.platform === 'win32',
  }, async () => {
    using folder = openFolder();
    chmodSync(folder.write('locked.txt', 'x'), 0);
    assert.equal(statusOf(await folder.fetch(join(folder.root, 'locked.txt'))), 'file-unreadable');
  });

  test('larger files are cut, and unwanted ones not read', async () => {
    using folder = openFolder({ maxBytes: () => 10_000 });
    const long = await folder.fetch(folder.write('long.txt', 'y'.repeat(30_000)));
    assert(long.kind === 'response');
    assert.deepEqual([long.body.byteLength, long.truncated], [10_000, 'length']);
    const bytes = new Uint8Array(5000).map((_, at) => at % 256);
    const wanted = (head: { header(name: string): string | undefined }) => head.header('content-type');
    const result = await folder.fetch(folder.write('data.bin', bytes), { wanted });
    assert.deepEqual([result.kind, 'reason' in result && result.reason], ['unwanted', 'application/octet-stream']);
    assert.equal(statusOf(await folder.fetch(folder.write('empty.txt', ''))), 200);
  });
});

test('what a file is, is told by name and content', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  for (const [name, content, type] of [
    ['a.ts', bytes('const a: number = 1;'), 'text/plain'],
    ['a.js', bytes('var a = 1;'), 'text/plain'],
    ['Makefile', bytes('all:\n\tcc\n'), 'text/plain'],
    ['a.html', bytes('<p>Hello'), 'text/html'],
    ['a.md', bytes('# Hello'), 'text/markdown'],
    ['a.docx', bytes('PK\u0003\u0004'), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.txt', new Uint8Array([0, 1, 2, 3]), 'application/octet-stream'],
    ['blob', new Uint8Array([0x7f, 0, 1]), 'application/octet-stream'],
    ['latin', new Uint8Array([0x66, 0xfc, 0x72]), 'text/plain'],
  ] as const)
    assert.equal(fileTypeOf(content, `file:///x/${name}`), type, name);
});
