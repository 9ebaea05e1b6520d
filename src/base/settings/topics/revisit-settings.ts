import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { duration, integerOrAuto, oneOf, share, truth } from '../scalar-kinds.ts';
import { folder } from '../text-kinds.ts';

/** When a page is looked at again. */
export const revisitSettings = {
  continuous: setting(
    truth,
    false,
    `Go on for ever: every page gets a next visit, what has changed is stored again, what is gone is noticed. Without it a crawl
    ends when every URL was visited once. A crawl that has ended can be continued with it. See docs/freshness.md.`,
  ),
  revisitPolicy: setting(
    oneOf('freshness', 'age', 'proportional', 'uniform'),
    'freshness',
    `How the requests are shared out. \`freshness\`: so that the most pages are as they are stored; \`age\`: so that what is stale is so
    for the shortest time; \`proportional\`: as often as pages change; \`uniform\`: all alike.`,
  ),
  requestsPerDay: setting(
    integerOrAuto({ min: 1 }),
    'auto',
    'Requests that visits to known pages may cost in a day, in all. `auto`: one visit for each page in a week.',
  ),
  freshnessGoal: setting(
    share({ max: 0.99 }),
    0,
    `Instead of a budget: the share of pages that shall be as they are stored, such as 0.95 or 95% for at most 5 % stale. \`status\` tells
    what it costs. 0: the budget decides.`,
  ),
  revisitMin: setting(
    duration({ min: 1 }),
    3_600_000,
    'No page is visited again sooner, whatever it does, unless you push it.',
  ),
  revisitMax: setting(
    duration({ min: 1 }),
    60 * 86_400_000,
    'No page waits longer for its next visit, as far as the budget allows: an estimate may be wrong.',
  ),
  ratesFrom: setting(
    list(folder, 'line'),
    [],
    `Folders of earlier crawls that have visited pages again. A page that they know begins with the rate of change that was learnt
    there, and its first visit here counts as the next one there; of several folders the first that knows it counts. They are only read.
    With \`continuous\`.`,
  ),
  revisitLanes: setting(
    oneOf('due', 'rate'),
    'due',
    `The front queue of a page that is due to be visited again. \`due\`: the first one, so that visits are made in the order in which they fall
    due; \`rate\`: by its rate of change, what changes every day first. Where a host has more to do than it may be asked for, its slow pages
    then wait for all that is in a better queue; \`lane-choice biased\` gives each queue its turn.`,
  ),
  headRequests: setting(
    oneOf('auto', 'off'),
    'auto',
    `Whether known pages are asked for with HEAD first where their server gives neither ETag nor Last-Modified. \`auto\`: large pages, on
    hosts where a length that is as before hardly ever hid a change; \`off\`: always with GET.`,
  ),
  updates: setting(
    oneOf('in-place', 'shadow'),
    'in-place',
    `What searchers see of a continuous crawl. \`in-place\`: each page as soon as it was visited; \`shadow\`: a new index is made beside
    the one in use every \`shadow-every\`, and they are switched at once.`,
  ),
  shadowEvery: setting(
    duration({ min: 1000 }),
    86_400_000,
    'How often a shadow index is made, with `--updates shadow`.',
  ),
};
