import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listFiles, readRepository } from './repository.ts';

/** Lines of the tables that name no test, or one that does not exist. */
function unprovenLines(page: string, files: ReadonlySet<string>): string[] {
  return page.split('\n').flatMap((line, at) => {
    if (!/^\|.*\|$/.test(line) || /^\| (?:attack|place) \||^\|---/.test(line)) return [];
    const tests = [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path);
    if (tests.length === 0) return [`line ${at + 1}: no test`];
    return tests
      .filter((path) => !path.endsWith('.test.ts') || !files.has(path))
      .map((path) => `line ${at + 1}: there is no ${path}`);
  });
}

describe('threat model', () => {
  const files = new Set(listFiles());

  test('each line names a test that exists', () => {
    const page = readRepository(['docs/security.md']).get('docs/security.md') ?? '';
    assert.ok(page.split('\n').filter((line) => line.startsWith('|')).length > 30, 'the tables were not found');
    assert.deepEqual(unprovenLines(page, files), []);
  });

  test('the check can fail', () => {
    const table = '| attack | what stops it | test |\n|---|---|---|\n';
    assert.equal(unprovenLines(`${table}| a | b | c |`, files).length, 1);
    assert.equal(unprovenLines(`${table}| a | b | \`test/unit/none.test.ts\` |`, files).length, 1);
    assert.equal(unprovenLines(`${table}| a | b | \`src/index.ts\` |`, files).length, 1);
    assert.deepEqual(unprovenLines(`${table}| a | b | \`test/architecture/threat-model.test.ts\` |`, files), []);
  });
});
