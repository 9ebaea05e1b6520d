import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RobotsMatcher } from '../../../../src/fetch/robots/robots-matcher.ts';
import { parseRobots } from '../../../../src/fetch/robots/robots-parser.ts';
import {
  compileRobotsPattern,
  matchesRobotsPattern,
  type RobotsPattern,
} from '../../../../src/fetch/robots/robots-pattern.ts';
import { propertyRuns } from '../../../property-runs.ts';

/** Beyond this number of wildcard patterns all are searched at once. */
const MANY = 40;
/** The most that counts of a file. */
const FILE_OCTETS = 500 * 1024;

function oneByOne(patterns: readonly RobotsPattern[], path: string, meter = { steps: 0 }): number {
  return patterns.findIndex((pattern) => matchesRobotsPattern(pattern, path, meter));
}

/** Rules as many as fit into a file. */
function fileOf(rule: (number: number) => string): string {
  const lines = ['User-agent: *'];
  let octets = lines[0].length + 1;
  for (let number = 0; ; number++) {
    const line = `Disallow: ${rule(number)}`;
    octets += line.length + 1;
    if (octets > FILE_OCTETS) return lines.join('\n');
    lines.push(line);
  }
}

describe('RobotsMatcher', () => {
  test('finds the pattern that trying one after the other finds', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$', '\ufffd'), maxLength: 9 });
    const values = fc.array(value, { minLength: 1, maxLength: 3 * MANY });
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '$', '\ufffd'), maxLength: 14 });
    fc.assert(
      fc.property(values, fc.array(path, { minLength: 1, maxLength: 5 }), (written, ends) => {
        const patterns = written.map((text) => compileRobotsPattern(`/${text}`));
        const matcher = new RobotsMatcher(patterns);
        for (const end of ends) assert.equal(matcher.firstMatch(`/${end}`), oneByOne(patterns, `/${end}`), end);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('finds it among many that all go on with a wildcard, also where parts overlap', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
    const value = fc.tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '$'));
    const values = fc.array(value, { minLength: MANY, maxLength: 2 * MANY });
    const path = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 16 });
    fc.assert(
      fc.property(values, path, (written, end) => {
        // The longer ones seldom match: that the order counts shows only where they come first.
        const patterns = written
          .map(([parts, tail]) => compileRobotsPattern(`/*${parts.join('*')}${tail}`))
          .sort((a, b) => b.priority - a.priority);
        assert.equal(new RobotsMatcher(patterns).firstMatch(`/${end}`), oneByOne(patterns, `/${end}`));
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  test('takes steps in proportion to the path and the file, not to their product', () => {
    const path = `/${'a'.repeat(2000)}`;
    const hostile: [name: string, rule: (number: number) => string][] = [
      ['a wildcard and a number', (number) => `/*a*a*${'a'.repeat(8)}b${number}`],
      ['many wildcards', (number) => `/${'*a'.repeat(60)}*b${number}`],
      ['long parts', (number) => `/*${'a'.repeat(16)}*${'a'.repeat(15)}b${number}`],
      ['parts that overlap', (number) => `/*a*${'a'.repeat(number % 1000)}*b`],
      ['ends that are looked at last', (number) => `/*a*${'b'.repeat(10)}${number}$`],
      ['plain rules', (number) => `/${'a'.repeat(number % 1000)}b${number}`],
    ];
    for (const [name, rule] of hostile) {
      const rules = parseRobots(fileOf(rule)).rulesFor('Orbweaver');
      const meter = { steps: 0 };
      assert.equal(rules.judge(path, meter).allowed, true, name);
      // Texts that end in each other number at most the square root of what fits into the file.
      const most = 2 * FILE_OCTETS + path.length * Math.sqrt(2 * FILE_OCTETS);
      assert.ok(meter.steps <= most, `${name}: ${meter.steps} steps, at most ${most}`);
    }
  });
});
