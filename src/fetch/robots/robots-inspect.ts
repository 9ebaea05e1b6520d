import { OrbweaverError } from '../../base/errors.ts';
import { parseRobots } from './robots-parser.ts';

export interface RobotsQuestion {
  readonly body?: string;
  readonly bodyBase64?: string;
  /** A product token, a full User-Agent string, `*` or nothing; several names are one crawler's. */
  readonly agent?: string | readonly string[];
  /** Absolute or a path alone. */
  readonly url?: string;
}

export interface RobotsAnswer {
  readonly allowed: boolean;
  readonly rule: string | null;
  readonly line: number | null;
  readonly crawlDelay: number | null;
}

/** One line of `inspect robots --jsonl`. What the file does not say is null, so that every answer has every key. */
export function inspectRobots(question: RobotsQuestion): RobotsAnswer {
  const { body, bodyBase64, agent = '', url = '/' } = question;
  if (typeof body !== 'string' && typeof bodyBase64 !== 'string') throw invalid('body or bodyBase64');
  if (typeof url !== 'string') throw invalid('url');
  if (typeof agent !== 'string' && !(Array.isArray(agent) && agent.every((name) => typeof name === 'string'))) {
    throw invalid('agent');
  }
  const file = parseRobots(typeof body === 'string' ? body : Buffer.from(bodyBase64 as string, 'base64'));
  const verdict = file.judge(agent, url);
  return {
    allowed: verdict.allowed,
    rule: verdict.rule ?? null,
    line: verdict.line ?? null,
    crawlDelay: verdict.crawlDelay ?? null,
  };
}

function invalid(key: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `A robots question needs ${key} as text.`, {
    remedy: 'Write {"body": "…", "agent": "…", "url": "…"}, or bodyBase64 instead of body.',
  });
}
