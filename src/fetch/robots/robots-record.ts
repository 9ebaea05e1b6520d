import type { RobotsRecord, RobotsVerdict } from '../../contracts/content/robots.ts';
import { parseRobots } from './robots-parser.ts';
import { pathOfUrl } from './robots-path.ts';
import { type RobotsJudge, RobotsRules } from './robots-rules.ts';

/**
 * Who judges an origin's URLs by what is known of its robots.txt. To be kept beside the record: making it parses the
 * file. A file that has moved and is not read yet forbids; who can wait for it asks `record.state` first.
 */
export function judgeOfRecord(record: RobotsRecord, agent: string): RobotsJudge {
  switch (record.state) {
    case 'rules':
      return parseRobots(record.body ?? '').rulesFor(agent);
    case 'allow-all':
      return new RobotsRules([]);
    case 'disallow-all':
    case 'moved':
      return forbidding(`robots.txt ${record.state === 'moved' ? 'moved' : 'unreachable'}: ${record.why}`);
  }
}

/** Forbids everything but robots.txt itself, which must be asked for again. */
function forbidding(rule: string): RobotsJudge {
  const open: RobotsVerdict = Object.freeze({ allowed: true });
  const closed: RobotsVerdict = Object.freeze({ allowed: false, rule });
  return {
    crawlDelay: undefined,
    bytes: 0,
    judge: (url) => (pathOfUrl(url) === '/robots.txt' ? open : closed),
  };
}
