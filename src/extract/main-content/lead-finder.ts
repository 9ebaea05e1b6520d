import type { ContentTree } from './content-tree.ts';
import { elementNumber } from './names/content-elements.ts';
import { ABOUT, LEAD, SUBTITLE } from './names/name-hints.ts';
import type { TextWorth } from './text-worth.ts';

const FIGCAPTION = elementNumber('figcaption');
const FIGURE = elementNumber('figure');
const H1 = elementNumber('h1');
/** Shorter ones are subtitles, unless their name says lead. */
const SHORTEST = 110;
const SHORTEST_NAMED = 60;
const LONGEST = 1500;

/** The last heading of the first level before the body; -1 where there is none. */
export function findHeadline(tree: ContentTree, { noisy }: TextWorth, body: number): number {
  for (let row = body - 1; row > 0; row--) {
    if (tree.element[row] === H1 && noisy[row] === 0 && tree.length[row] > 0) return row;
  }
  return -1;
}

/** Rows of the texts between the headline and the body: many pages keep the lead outside of the body. */
export function findLead(tree: ContentTree, found: TextWorth, body: number): number[] {
  const { noisy, worth } = found;
  let headline = findHeadline(tree, found, body);
  const named = headline === -1;
  if (named) headline = articleAround(tree, worth, body);
  if (headline === -1) return [];
  const { runs } = tree;
  const lead: number[] = [];
  let length = 0;
  let last = -1;
  for (let row = named ? headline + 1 : tree.end[headline]; row < body; row++) {
    const run = tree.run[row];
    if (run === -1 || run === last) continue;
    last = run;
    const holder = runs.holder[run];
    if (runs.length[run] < SHORTEST_NAMED || runs.linked[run] > runs.length[run] * 0.2) continue;
    if (noisy[row] === 1) continue;
    const hints = hintsBetween(tree, holder, headline);
    if ((hints & (ABOUT | SUBTITLE)) !== 0) continue;
    if ((hints & LEAD) === 0 && (named || runs.length[run] < SHORTEST)) continue;
    const covered = lead.length === 0 ? headline : tree.end[lead[lead.length - 1]] - 1;
    // The holder may hold more than this run, the body even: then the texts of the run stand alone.
    if (holder > covered && tree.end[holder] <= body && holdsOneRun(tree, holder, run)) lead.push(holder);
    else for (let text = row; text < body; text++) if (tree.run[text] === run) lead.push(text);
    length += runs.length[run];
  }
  return length > LONGEST ? [] : lead;
}

function holdsOneRun(tree: ContentTree, holder: number, run: number): boolean {
  const next = run + 1;
  return next >= tree.runs.first.length || tree.runs.first[next] >= tree.end[holder];
}

/** The outermost element around the body that holds little besides: where there is no headline, leads are looked for in it. */
function articleAround(tree: ContentTree, worth: Float64Array, body: number): number {
  let around = -1;
  for (let row = tree.parent[body]; row > 0 && worth[row] <= worth[body] * 1.3; row = tree.parent[row]) around = row;
  return around;
}

function hintsBetween(tree: ContentTree, from: number, headline: number): number {
  let hints = 0;
  for (let row = from; row > headline; row = tree.parent[row]) {
    const element = tree.element[row];
    hints |= element === FIGURE || element === FIGCAPTION ? tree.hints[row] | ABOUT : tree.hints[row];
  }
  return hints;
}
