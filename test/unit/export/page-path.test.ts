import assert from 'node:assert/strict';
import { join, posix, win32 } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { pagePath } from '../../../src/export/page-path.ts';
import { propertyRuns } from '../../property-runs.ts';

const markdownPath = (url: string): string => pagePath(url, '.md');

test('plain URLs have plain paths', () => {
  assert.equal(markdownPath('https://example.org/'), 'example.org/index.md');
  assert.equal(markdownPath('https://example.org/guide/start'), 'example.org/guide/start.md');
  assert.equal(markdownPath('https://example.org/guide/'), 'example.org/guide/index.md');
  assert.equal(markdownPath('https://example.org/a.html'), 'example.org/a.html.md');
  assert.equal(markdownPath('https://example.org/a.md'), 'example.org/a.md.md');
  assert.equal(markdownPath('http://127.0.0.1:8080/a'), 'http+127.0.0.1+8080/a.md');
  assert.equal(markdownPath('https://point.md/a'), 'point.md/a.md');
});

test('others have digits of their hash', () => {
  const marked = /^example\.org\/[a-z0-9_./-]*~[0-9a-f]{16}\.md$/;
  for (const rest of [
    'A',
    '?q=1',
    'a?b',
    'index',
    'con',
    'aux.txt',
    '.hidden',
    'a.',
    '..%2f..%2fetc',
    'a//b',
    'a.md/b',
    'ö',
  ])
    assert.match(markdownPath(`https://example.org/${rest}`), marked, rest);
  assert.match(markdownPath('https://[::1]/a'), /^_*1_?\/a~|^_1_\/a~/);
});

const SEGMENTS = [
  'a',
  'A',
  'a.md',
  'a.md_',
  'index',
  'index.md',
  '',
  '.',
  '..',
  'con',
  'con.',
  'a~0',
  '%2e%2e',
  'a b',
  'ä',
  'é'.repeat(90),
];
const urls = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.constantFrom('a.example', 'a.example:81', 'aux.example', '[::1]', `${'x'.repeat(60)}.${'y'.repeat(60)}.example`),
    fc.array(fc.oneof(fc.constantFrom(...SEGMENTS), fc.string()), { maxLength: 12 }),
    fc.constantFrom('', '?', '?a=1', '?A=1'),
  )
  .map(([scheme, host, path, query]) => `${scheme}://${host}/${path.join('/').replace(/[?#]/g, '')}${query}`);

test('no two URLs share a path, no file is a folder, and none leaves the folder, on any file system', () => {
  fc.assert(
    fc.property(fc.uniqueArray(urls, { maxLength: 40 }), (all) => {
      const paths = all.map(markdownPath);
      const files = new Set(paths.map((path) => path.toLowerCase().normalize('NFC')));
      assert.equal(files.size, all.length);
      for (const path of paths) {
        assert.ok(path.length <= 200 && path.endsWith('.md'), path);
        assert.equal(posix.normalize(path), path);
        assert.ok(!posix.isAbsolute(path) && !win32.isAbsolute(path) && join('x', path).startsWith(join('x', 'a')[0]));
        const names = path.split('/');
        for (const [at, name] of names.entries()) {
          assert.match(name, /^[a-z0-9_+-][a-z0-9._+~-]*$/, path);
          assert.doesNotMatch(name, /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|[. ]$/, path);
          if (at < names.length - 1) assert.ok(!files.has(names.slice(0, at + 1).join('/')), path);
        }
      }
    }),
    { numRuns: propertyRuns(1200) },
  );
});
