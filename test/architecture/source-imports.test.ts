import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { importGraph, importsOf } from './source-imports.ts';
import { tokensOf } from './tokens.ts';

const specifiers = (source: string): (string | undefined)[] => importsOf(source).map(({ specifier }) => specifier);

describe('Reading imports', () => {
  test('every way to load a file is found, with its line', () => {
    const source = `import './a.ts';
import b from "./b.ts";
import type { C } from './c.ts';
import d, {
  type D,
} from './d.ts';
import * as e from './e.ts';
export { f } from './f.ts';
export * from './g.ts';
export * as h from './h.ts';
export type { I } from './i.ts';
const j = await import('./j.ts');
type K = import('./k.ts').K;
new Worker(new URL('./l.ts', import.meta.url));
new URL(import.meta.url.endsWith('.ts') ? './m.ts' : './m.js', import.meta.url);
`;
    assert.deepEqual(
      importsOf(source).map(({ specifier, line }) => `${line} ${specifier}`),
      [
        ...['1 ./a.ts', '2 ./b.ts', '3 ./c.ts', '6 ./d.ts', '7 ./e.ts', '8 ./f.ts', '9 ./g.ts', '10 ./h.ts'],
        ...['11 ./i.ts', '12 ./j.ts', '13 ./k.ts', '14 ./l.ts', '15 ./m.ts'],
      ],
    );
  });

  test('what only looks like an import is passed over', () => {
    const source = `
// import './comment.ts';
/* export * from './block.ts'; */
const text = "import './string.ts'";
const template = \`import './template.ts' \${['from', './x.ts'].join()} import './rest.ts'\`;
const pattern = /import '.\\/pattern.ts'/g;
const { import: imported } = { import: 1 };
export const from = './value.ts';
export { from as again };
const later = from, more = './y.ts';
const here = import.meta.url;
const site = new URL('https://example.org/page.ts');
loader.import('./method.ts');
class Jar { import(text: string, now = f()): void {} }
`;
    assert.deepEqual(specifiers(source), []);
  });

  test('code inside a template counts', () => {
    assert.deepEqual(specifiers(`const a = \`x \${{ b: \`\${await import('./in.ts')}\` }} y\`; import './after.ts';`), [
      './in.ts',
      './after.ts',
    ]);
  });

  test('a slash after a value divides', () => {
    assert.deepEqual(specifiers("const a = (b) / c; import './after.ts'; const d = e[0] / f / g;"), ['./after.ts']);
  });

  test('an import of a computed name is told as such', () => {
    assert.deepEqual(specifiers('await import(name)'), [undefined]);
  });

  test('lines are counted through comments, strings and templates', () => {
    const tokens = tokensOf('/*\n*/ a `\n\n` b');
    assert.deepEqual(
      tokens.filter(({ kind }) => kind === 'word').map(({ text, line }) => [text, line]),
      [
        ['a', 2],
        ['b', 4],
      ],
    );
  });

  test('the graph holds files that exist, each once', () => {
    const graph = importGraph(
      new Map([
        [
          'src/a/one.ts',
          "import '../b/two.ts'; import type { X } from '../b/two.ts'; import 'node:fs'; import './none.ts';",
        ],
        ['src/b/two.ts', ''],
      ]),
    );
    assert.deepEqual(
      [...graph],
      [
        ['src/a/one.ts', ['src/b/two.ts']],
        ['src/b/two.ts', []],
      ],
    );
  });
});
