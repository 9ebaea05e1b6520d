import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingLine, shellSteps } from '../../../tools/test-docs/shell-steps.ts';

const PAGE = `# Page

\`\`\`sh
one
two
\`\`\`

\`\`\`text
seen …
\`\`\`

Words.

\`\`\`text
not an output
\`\`\`

<!-- not run: needs a server -->
\`\`\`sh
three
\`\`\`

<!-- needs: a database -->
\`\`\`sh
four
\`\`\`

<!-- check: curl x -->
\`\`\`yaml
a: b
\`\`\`
`;

test('steps are the sh blocks of a page, with the text block behind them', () => {
  assert.deepEqual(shellSteps(PAGE), [
    { line: 4, commands: 'one\ntwo', expected: ['seen …'] },
    { line: 20, commands: 'three', expected: [], notRun: 'needs a server' },
    { line: 25, commands: 'four', expected: [], needs: 'a database' },
    { line: 28, commands: 'curl x > checked.txt', expected: [] },
  ]);
});

test('a block without an end is an error, not the end of the page', () => {
  assert.throws(() => shellSteps('```sh\none\n'), /line 1 has no end/);
});

test('expected lines come in their order, with gaps for what differs', () => {
  const output = 'begin\n  pages 150 of 170\nend of 12 s\n';
  assert.equal(missingLine(output, ['  pages … of 170', 'end of …']), undefined);
  assert.equal(missingLine(output, ['end of …', '  pages … of 170']), '  pages … of 170');
  assert.equal(missingLine(output, ['pages … of 170']), 'pages … of 170');
  assert.equal(missingLine(output, ['…pages … of 170']), undefined);
  assert.equal(missingLine(output, ['begi']), 'begi');
});
