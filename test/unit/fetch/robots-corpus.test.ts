import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { productToken } from '../../../src/fetch/robots/robots-agent.ts';
import { inspectRobots } from '../../../src/fetch/robots/robots-inspect.ts';
import type { RobotsLine, RobotsLineKind } from '../../../src/fetch/robots/robots-lines.ts';
import { robotsOutcome } from '../../../src/fetch/robots/robots-outcome.ts';
import { parseRobots } from '../../../src/fetch/robots/robots-parser.ts';
import { normalizeRobotsPath, pathOfUrl } from '../../../src/fetch/robots/robots-path.ts';
import { robotsText } from '../../../src/fetch/robots/robots-text.ts';
import { corpus, skipWithout } from '../../corpora.ts';
import { robotsAnswer } from './robots-answer.ts';

interface Body {
  readonly body?: string;
  readonly body_b64?: string;
}
interface Case extends Body {
  readonly id: number;
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
  readonly google_allowed: boolean;
  readonly class: string;
}
interface RealFile extends Body {
  readonly site: string;
  readonly probes: readonly { readonly agent: string; readonly url: string; readonly allowed: boolean }[];
}
interface DelayCase extends Body {
  readonly agent: string;
  readonly agents?: readonly string[];
  readonly crawl_delay_s: number | null;
}
interface Report extends Body {
  readonly valid_directives: number;
  readonly unknown_directives?: number;
  readonly last_line_seen?: number;
  readonly last_line_with_directive?: number;
  readonly line_too_long?: readonly number[];
  readonly lines?: readonly Record<string, unknown>[];
}
interface Helpers {
  readonly path_params_query: readonly { readonly url: string; readonly path: string }[];
  readonly escape_pattern: readonly { readonly in: string; readonly out: string }[];
  readonly valid_user_agent_to_obey: readonly { readonly agent: string; readonly valid: boolean }[];
  readonly http_status: { readonly allow_all: readonly number[]; readonly disallow_all: readonly number[] };
}

const skip = skipWithout('robots');

function read(file: string): string {
  return readFileSync(join(corpus('robots') as string, file), 'utf8');
}

function readLines<T>(file: string): T[] {
  return read(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function bytesOf({ body, body_b64 }: Body): Uint8Array {
  return body_b64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_b64, 'base64');
}

function wrongOnes(ofClass: string, agentOf: (agent: string) => string = (agent) => agent): number[] {
  const cases = readLines<Case>('cases.jsonl').filter((each) => each.class === ofClass);
  assert.notEqual(cases.length, 0);
  return cases
    .filter(({ body, body_b64, agent, url, allowed }) => {
      return inspectRobots({ body, bodyBase64: body_b64, agent: agentOf(agent), url }).allowed !== allowed;
    })
    .map(({ id }) => id);
}

describe('robots.txt: cases of seven public suites', { skip }, () => {
  for (const name of ['agreed', 'rfc9309-percent', 'rfc9309-robots-txt', 'agent-wildcard']) {
    test(`all of ${name}`, () => assert.deepEqual(wrongOnes(name), []));
  }

  test('all of agent-token, the agent reduced to its product token where it has one', () => {
    assert.deepEqual(
      wrongOnes('agent-token', (agent) => productToken(agent) || agent),
      [],
    );
  });

  test('policy and conflict: the choices of docs/robots.md', (context) => {
    const cases = readLines<Case>('cases.jsonl').filter((each) => each.class === 'policy' || each.class === 'conflict');
    const figures: Record<string, { cases: number; suite: number; google: number }> = {};
    for (const { body, body_b64, agent, url, ...expected } of cases) {
      figures[expected.class] ??= { cases: 0, suite: 0, google: 0 };
      const figure = figures[expected.class];
      const { allowed } = inspectRobots({ body, bodyBase64: body_b64, agent, url });
      figure.cases++;
      if (allowed === expected.allowed) figure.suite++;
      if (allowed === expected.google_allowed) figure.google++;
    }
    context.diagnostic(JSON.stringify(figures));
    assert.deepEqual(figures, {
      conflict: { cases: 6, suite: 3, google: 0 },
      policy: { cases: 53, suite: 13, google: 47 },
    });
  });
});

test("robots.txt: every probe of the real files has Google's verdict", { skip }, (context) => {
  let probes = 0;
  const wrong: string[] = [];
  for (const file of readLines<RealFile>('real.jsonl')) {
    const parsed = parseRobots(bytesOf(file));
    // What the state keeps is the text; it must judge as the bytes did.
    const kept = parseRobots(robotsText(bytesOf(file)));
    let agent = '';
    let rules = [parsed.rulesFor(agent), kept.rulesFor(agent)];
    for (const probe of file.probes) {
      probes++;
      if (probe.agent !== agent) {
        agent = probe.agent;
        rules = [parsed.rulesFor(agent), kept.rulesFor(agent)];
      }
      const wrongly = rules.some((each) => each.judge(probe.url).allowed !== probe.allowed);
      if (wrongly) wrong.push(`${file.site} ${agent} ${probe.url}`);
    }
  }
  context.diagnostic(`${probes} probes`);
  assert.deepEqual(wrong, []);
});

test('robots.txt: crawl delays', { skip }, () => {
  for (const each of readLines<DelayCase>('crawl_delay.jsonl')) {
    const rules = parseRobots(bytesOf(each)).rulesFor(each.agents ?? each.agent);
    assert.equal(rules.crawlDelay ?? null, each.crawl_delay_s, `${each.agent} in ${each.body}`);
  }
});

test('robots.txt: sitemaps', { skip }, () => {
  for (const { body, sitemaps } of readLines<{ body: string; sitemaps: string[] }>('sitemaps.jsonl')) {
    // One suite resolves relative ones, another does not.
    const relative = sitemaps.some((url) => !url.includes('://'));
    const found = parseRobots(body).sitemaps;
    assert.deepEqual(relative ? found : found.map((url) => new URL(url, 'http://domain.com/').href), sitemaps);
  }
});

const TAGS: Partial<Record<RobotsLineKind, string>> = {
  'user-agent': 'UserAgent',
  allow: 'Allow',
  disallow: 'Disallow',
  sitemap: 'Sitemap',
  'crawl-delay': 'Unused',
  unused: 'Unused',
};

function tagOf(line: RobotsLine): string {
  return TAGS[line.kind] ?? 'Unknown';
}

test("robots.txt: the parse report says what Google's says", { skip }, () => {
  for (const report of readLines<Report>('reporting.jsonl')) {
    const { lines } = parseRobots(bytesOf(report));
    const valid = lines.filter((line) => !['Unknown', 'Unused'].includes(tagOf(line)));
    assert.equal(valid.length, report.valid_directives);
    if (report.unknown_directives !== undefined) {
      assert.equal(lines.filter((line) => line.kind === 'unknown').length, report.unknown_directives);
    }
    if (report.last_line_seen !== undefined) assert.equal(lines.at(-1)?.line, report.last_line_seen);
    if (report.last_line_with_directive !== undefined) {
      assert.equal(valid.at(-1)?.line, report.last_line_with_directive);
    }
    if (report.line_too_long !== undefined) {
      const tooLong = lines.filter((line) => line.tooLong).map((line) => line.line);
      assert.deepEqual(tooLong, report.line_too_long);
    }
    if (report.lines !== undefined) {
      const ours = lines.map((line) => ({
        line: line.line,
        tag: tagOf(line),
        is_typo: line.typo,
        is_empty: line.kind === 'empty',
        has_comment: line.comment,
        is_comment: line.kind === 'comment',
        has_directive: line.key !== '',
        is_acceptable_typo: line.typo,
        is_line_too_long: line.tooLong,
        is_missing_colon_separator: line.missingColon,
      }));
      assert.deepEqual(ours, report.lines);
    }
  }
});

test("robots.txt: Google's helpers, and what a status means", { skip }, () => {
  const helpers = JSON.parse(read('google_helpers.json')) as Helpers;
  for (const { url, path } of helpers.path_params_query) assert.equal(pathOfUrl(url), path, url);
  for (const { in: pattern, out } of helpers.escape_pattern) assert.equal(normalizeRobotsPath(pattern), out);
  for (const { agent, valid } of helpers.valid_user_agent_to_obey)
    assert.equal(agent !== '' && productToken(agent) === agent, valid, agent);
  const states = (statuses: readonly number[]) => statuses.map((status) => robotsOutcome(robotsAnswer(status)).state);
  assert.deepEqual(new Set(states(helpers.http_status.allow_all)), new Set(['allow-all']));
  assert.deepEqual(new Set(states(helpers.http_status.disallow_all)), new Set(['disallow-all']));
});
