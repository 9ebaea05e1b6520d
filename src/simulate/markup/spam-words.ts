import type { WordDraw } from './word-draw.ts';

/** What spam is about: what is sold, and what is said of it. */
export interface SpamTopic {
  readonly things: readonly string[];
  readonly praise: readonly string[];
}

const TOPICS: readonly SpamTopic[] = [
  topic('car insurance|auto cover|motor policy', 'cheap|instant|best quote|lowest price'),
  topic('replica watches|luxury watch|swiss copies', 'discount|sale|genuine look|free shipping'),
  topic('weight loss pills|diet tablets|fat burner', 'fast|guaranteed|natural|order now'),
  topic('online casino|poker bonus|roulette slots', 'free|no deposit|win|best odds'),
  topic('payday loan|quick credit|cash advance', 'instant approval|no checks|today|easy'),
  topic('garden furniture|patio set|rattan chairs', 'cheap|outlet|clearance|next day'),
  topic('wedding photographer|bridal pictures|photo studio', 'top|affordable|award|local'),
  topic('plumber|drain cleaning|boiler repair', 'emergency|24 hours|trusted|near you'),
  topic('cheap flights|last minute tickets|airline deals', 'lowest|compare|save|book'),
  topic('essay writing|term papers|dissertation service', 'professional|on time|plagiarism free|cheap'),
  topic('mobile ringtones|phone unlocking|sim cards', 'free|download|instant|unlimited'),
  topic('steel pipes|pipe fittings|flanges', 'supplier|wholesale|factory price|exporter'),
  topic('hotel rooms|city hotels|beach resort', 'discount|book now|best rate|five star'),
  topic('vitamin shop|protein powder|supplements', 'sale|original|strong|buy'),
  topic('roof repair|roofing contractor|gutters', 'free estimate|licensed|fast|cheap'),
  topic('printer ink|toner cartridges|refill kits', 'compatible|bargain|bulk|express'),
];

/** The first word of a topic's first thing is what is stuffed. */
export function drawTopic(draw: WordDraw): SpamTopic {
  return draw.of(TOPICS);
}

/** "cheap car insurance", "car insurance best quote" ... */
export function spamPhrase(draw: WordDraw, { things, praise }: SpamTopic): string {
  const thing = draw.of(things);
  const said = draw.of(praise);
  switch (draw.below(4)) {
    case 0:
      return thing;
    case 1:
      return `${thing} ${said}`;
    case 2:
      return `${draw.of(praise)} ${said} ${thing}`;
    default:
      return `${said} ${thing}`;
  }
}

/** `count` phrases one after the other, joined in one of the ways of the trade. */
export function phraseList(draw: WordDraw, topic: SpamTopic, count: number): string {
  const joint = draw.of([', ', ' ', ' | ', ' - ', '. ']);
  return Array.from({ length: count }, () => spamPhrase(draw, topic)).join(joint);
}

/** Sentences of ordinary words, with one phrase after each `every` words. */
export function stuffedSentences(draw: WordDraw, topic: SpamTopic, words: number, every: number): string {
  const parts: string[] = [];
  for (let written = 0; written < words; written += every + 2) {
    const lead = draw.words(Math.max(1, every - draw.below(3)));
    parts.push(`${lead[0].toUpperCase()}${lead.slice(1)} ${spamPhrase(draw, topic)}${draw.below(3) === 0 ? '!' : '.'}`);
  }
  return parts.join(' ');
}

function topic(things: string, praise: string): SpamTopic {
  return { things: things.split('|'), praise: praise.split('|') };
}
