import type { Outcome } from '../../src/contracts/outcome.ts';
import type { HostileCase } from './hostile-case.ts';
import type { HostileRecord } from './hostile-server.ts';

/** What a crawl made of the URLs of one case. */
export interface CaseResult {
  /** How often each outcome, as `outcomeName` writes it. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The longest visit, from claim to settlement. */
  readonly seconds: number;
}

const DEFAULT_SECONDS = 45;
const DEFAULT_BYTES = 32 * 1024 * 1024;
const DEFAULT_REQUESTS = 60;
/** The request was answered, whatever the answer. */
const RESPONSE =
  /^(?:stored|duplicate|redirected|gone|refused (?:robots|media-type|directive|url|scope|trap)|failed (?:http-|redirect-))/;

/** 'stored', 'failed reset', 'refused address' ... */
export function outcomeName(outcome: Outcome): string {
  if (outcome.kind === 'failed') return `failed ${outcome.code}`;
  return outcome.kind === 'refused' ? `refused ${outcome.by}` : outcome.kind;
}

/** What is wrong with the result; nothing where the case was withstood. */
export function judgeCase(hostile: HostileCase, result: CaseResult | undefined, record: HostileRecord): string[] {
  const wrong: string[] = [];
  const outcomes = Object.keys(result?.outcomes ?? {});
  for (const outcome of outcomes.length === 0 ? ['none'] : outcomes) {
    if (!isExpected(hostile.expect, outcome)) wrong.push(`outcome ${outcome}`);
  }
  const { maxBytes = DEFAULT_BYTES, maxRequests = DEFAULT_REQUESTS } = hostile;
  wrong.push(...judgeTime(hostile, result));
  if (record.bytes > maxBytes) wrong.push(`more than ${maxBytes} bytes`);
  if (record.requests > maxRequests) wrong.push(`more than ${maxRequests} requests`);
  return wrong;
}

/** Of `judgeCase` the time alone. */
export function judgeTime({ maxSeconds = DEFAULT_SECONDS }: HostileCase, result: CaseResult | undefined): string[] {
  return (result?.seconds ?? 0) > maxSeconds ? [`more than ${maxSeconds} s`] : [];
}

/** The URLs of the case under which something else than their own response was archived. `seeds` are those of all cases. */
export async function judgeArchive(
  { name, archived }: HostileCase,
  seeds: readonly string[],
  bodyOf: (url: string) => Promise<string | undefined>,
): Promise<string[]> {
  const wrong: string[] = [];
  if (archived === undefined) return wrong;
  for (const seed of seeds) {
    const { hostname, pathname } = new URL(seed);
    if (hostname !== `${name}.test`) continue;
    if ((await bodyOf(seed)) !== archived(pathname)) wrong.push(`another body archived for ${pathname}`);
  }
  return wrong;
}

function isExpected(expect: readonly string[], outcome: string): boolean {
  if (expect.includes(outcome)) return true;
  if (expect.includes('any')) return outcome !== 'failed internal' && outcome !== 'failed lease-expired';
  return expect.includes('response') && RESPONSE.test(outcome);
}
