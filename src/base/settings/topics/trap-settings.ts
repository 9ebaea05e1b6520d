import { setting } from '../kind.ts';
import { duration, integer, truth } from '../scalar-kinds.ts';

/** What keeps a crawl out of addresses without end. */
export const trapSettings = {
  trapPathDepth: setting(integer({ min: 1, unlimited: true }), 20, 'Paths with more segments are not followed.'),
  trapRepeats: setting(
    integer({ min: 2, unlimited: true }),
    3,
    `Paths in which the same folders follow one another so many times (/a/b/a/b/a/b/), or in which one name stands two times more than that, are not
    followed. Numbers and single letters do not count.`,
  ),
  trapHostLabels: setting(
    integer({ min: 2, unlimited: true }),
    10,
    'Hosts with more labels, or with one label three times, are not followed. `unlimited` turns both off.',
  ),
  trapYearsAhead: setting(
    integer({ unlimited: true }),
    2,
    'Pages of a calendar that lie further in the future are not followed: a year and a month in the path, or a date in a parameter.',
  ),
  trapYearsBack: setting(
    integer({ unlimited: true }),
    200,
    'Pages of a calendar that lie further in the past are not followed. Archives of newspapers go back to the 19th century.',
  ),
  trapParameters: setting(
    integer({ min: 1, unlimited: true }),
    16,
    'URLs with more parameters in the query are not followed: filters upon filters.',
  ),
  trapSessionIds: setting(
    truth,
    true,
    `URLs with a parameter that is named like a session and has a value drawn by lot are not followed, where \`strip-session-ids\` does not know its
    name and so could not remove it.`,
  ),
  trapLearning: setting(
    truth,
    true,
    `Watch what each pattern of URLs brings. Patterns that bring nothing new (copies, near-duplicates, errors, empty forms) are slowed down and sampled, and
    held back if the samples bring nothing either. New content is never held against the hosts of seeds; on a host that was only found by links, pages that
    lead to ever more of their kind have a budget, which grows with links from other domains. What is held back is kept, and can be opened with
    \`orbweaver traps\`.`,
  ),
  trapPatience: setting(
    integer({ min: 1, max: 10_000 }),
    3,
    `Visits in a row that a new pattern may cost without bringing anything new, before it is slowed down. It is held after five more. On a host that was only
    found by links, new pages that lead only to more of their kind count half.`,
  ),
  trapMemory: setting(
    integer({ min: 1000, max: 10_000_000 }),
    20_000,
    'Patterns that are remembered, about 1 KB each. The hosts that were not heard of for longest are forgotten first.',
  ),
  trapProbe: setting(
    duration({ min: 1000, unlimited: true }),
    3_600_000,
    'A held pattern is tried again with one URL after this time, then after twice as long, and so on.',
  ),
};
