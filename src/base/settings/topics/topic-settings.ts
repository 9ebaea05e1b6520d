import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { integer, text } from '../scalar-kinds.ts';

const page = text(
  'an http or https URL',
  (raw) => (/^https?:\/\/\S+$/i.test(raw) && URL.canParse(raw) ? raw : undefined),
  '<url>',
);

/** What a focused crawl is after. */
export const topicSettings = {
  topic: setting(
    text(),
    '',
    `Crawl pages on one topic: words that describe it, such as "jumping spiders of Europe". Links are followed in the order of what
    they promise, and a classifier that learns while it crawls decides what is on topic. See docs/focused-crawling.md.`,
  ),
  topicFile: setting(text('the name of a file', undefined, '<file>'), '', 'The same from a text file.'),
  like: setting(
    list(page, 'space'),
    [],
    'Sample pages that are on topic; they are fetched first. May be given more than once, also beside a description.',
  ),
  unlike: setting(list(page, 'space'), [], 'Sample pages that are not on topic, though they may seem so.'),
  tunnel: setting(
    integer({ max: 100 }),
    3,
    'Pages off topic, one after the other, through which a focused crawl goes on the way to others.',
  ),
  dryAfter: setting(
    integer({ min: 1, unlimited: true }),
    2000,
    'A focused crawl ends after this many pages without one on topic; a continuous one takes in no new pages from then on.',
  ),
};
