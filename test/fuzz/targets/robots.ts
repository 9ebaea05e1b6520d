import { readRobotsPreferences } from '../../../src/extract/usage-preferences/robots-preferences.ts';
import { parseRobots } from '../../../src/fetch/robots/robots-parser.ts';
import { type FuzzTarget, promise, same } from '../target.ts';

const AGENTS: readonly (string | readonly string[])[] = ['orbweaver', '*', '', 'Mozilla/5.0 (orbweaver/1)', ['a', 'b']];
const URLS = ['/', '/a/b?c=d', 'https://example.com/x.html$', '/%61%2F', 'not a url', '/*', '/index.html', 'http://h'];

export const robotsTarget: FuzzTarget = {
  name: 'robots',
  samples: [
    'User-agent: *\nDisallow: /private/\nAllow: /private/ok$\nCrawl-delay: 2\n\nSitemap: https://example.com/s.xml\n',
    'user-agent: orbweaver\nuser-agent: b\ndisallow: /*.php$\nContent-Signal: search=yes, ai-train=no\n',
  ],
  pieces: (
    'User-agent: user-agent: useragent: User\u00a0agent: Allow: Disallow: disalow: Crawl-delay: Request-rate: Sitemap: ' +
    'Content-Signal: Content-Usage: orbweaver * / /* /a/ *.php$ $ ** %61 %2F %zz # : 1 0.5 -1 1e9 99999999999 search=yes ai-train=no ' +
    'https://example.com/s.xml /index.html ä'
  )
    .split(' ')
    .concat('\n', '\r\n', '\r', '\n\n', ' ', '\ufeff', '\u2028'),
  corpora: ['robots/cases.jsonl', 'robots/real.jsonl', 'robots/crawl_delay.jsonl', 'robots/reporting.jsonl'],
  maxLength: 8_192,
  run(input) {
    const file = parseRobots(input);
    const thorough = input.length % 8 === 0;
    if (thorough) same(parseRobots(input), file, 'robots.txt is read the same twice');
    promise(file.lines.length <= input.length + 1, 'no more lines than bytes');
    for (const agent of AGENTS) {
      const rules = file.rulesFor(agent);
      for (const url of URLS) {
        const verdict = rules.judge(url);
        if (thorough) same(file.judge(agent, url), verdict, 'both ways to ask agree');
        promise(verdict.crawlDelay === undefined || verdict.crawlDelay >= 0, 'no negative delay', () => verdict);
      }
      promise(rules.judge('/robots.txt').allowed, 'robots.txt itself is always allowed');
    }
    const text = Buffer.from(input.buffer, input.byteOffset, input.length).toString('utf8');
    readRobotsPreferences(text, 'orbweaver').of('https://example.com/a/b');
  },
};
