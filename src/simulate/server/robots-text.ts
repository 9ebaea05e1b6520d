import type { RobotsGroup } from '../model/web-model.ts';

/** How much of a robots.txt counts (RFC 9309, 2.5). */
const COUNTED_BYTES = 500 * 1024;
const BEYOND_BYTES = 40_000;

/** Writes groups as people write them: `flavour` chooses line ends, case, order, spaces and the byte order mark. */
export function robotsText(
  name: string,
  groups: readonly RobotsGroup[],
  sitemaps: readonly string[],
  flavour: number,
): string {
  const lineEnd = LINE_ENDS[flavour & 3];
  const lines = [`# robots.txt of ${name}`, ''];
  const ordered = (flavour & 4) === 0 ? groups : groups.toReversed();
  for (const group of ordered) lines.push(...groupLines(group, flavour), '');
  for (const sitemap of sitemaps) lines.push(`Sitemap: ${sitemap}`);
  const mark = (flavour & 8) === 0 ? '' : '\xef\xbb\xbf';
  return mark + lines.join(lineEnd) + lineEnd;
}

const LINE_ENDS = ['\n', '\r\n', '\r', '\n'] as const;

/**
 * A file over the limit. `early` stands at its beginning, `late` right before the limit, `beyond` after it.
 * Who reads too little asks for what is forbidden, who reads too much is bound by what does not count.
 */
export function hugeRobotsText(early: string, late: RobotsGroup, beyond: RobotsGroup): string {
  const last = `${groupLines(late, 0).join('\n')}\n\n`;
  const filled = COUNTED_BYTES - last.length - 100;
  const text = `${early}${otherRobots(filled - early.length)}${last}`;
  // No rule is cut in two: what a crawler makes of half a line is its own affair.
  const across = `# ${'='.repeat(COUNTED_BYTES - text.length + 100)}\n`;
  return `${text}${across}${groupLines(beyond, 0).join('\n')}\n\n${otherRobots(BEYOND_BYTES)}`;
}

/** Groups for robots that nobody is, as near to this length as whole lines allow, and never over it. */
function otherRobots(length: number): string {
  let text = '';
  for (let bot = 0; ; bot++) {
    const group = `User-agent: robot-of-nobody-${letters(bot)}\nDisallow: /\n\n`;
    if (text.length + group.length > length) break;
    text += group;
  }
  return `${text}${'\n'.repeat(Math.max(0, length - text.length))}`;
}

function groupLines(group: RobotsGroup, flavour: number): string[] {
  const field = (name: string): string => ((flavour & 48) === 0 ? name.toUpperCase() : name);
  const space = ' '.repeat((flavour >>> 6) & 1);
  const rules = (flavour & 128) === 0 ? group.rules : group.rules.toReversed();
  return [
    ...group.agents.map((agent) => `${field('User-agent')}: ${agent}`),
    ...rules.map((rule) => `${field(rule.allow ? 'Allow' : 'Disallow')}:${space}${rule.pattern}`),
    ...(group.crawlDelaySeconds === undefined ? [] : [`Crawl-delay: ${group.crawlDelaySeconds} # seconds`]),
  ];
}

/** Product tokens hold no digits. */
function letters(number: number): string {
  return String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)]);
}
