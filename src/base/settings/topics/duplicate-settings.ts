import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { integer, integerOr, oneOf, share, truth } from '../scalar-kinds.ts';
import { folder } from '../text-kinds.ts';

/** What is recognised as said before, or as not worth saying. */
export const duplicateSettings = {
  duplicatesOf: setting(
    list(folder, 'line'),
    [],
    `Folders of earlier crawls. A page whose bytes lie there already is not stored again: the archive refers to the earlier copy
    (a revisit record), and \`get\` finds it there. Keep those folders where they are.`,
  ),
  nearDuplicates: setting(
    truth,
    true,
    `Compare the main text of every page with all others and note which are nearly the same. They are stored all the same;
    \`orbweaver duplicates\` lists them, and what yields nothing else is asked for last. Needs \`text\`.`,
  ),
  nearThreshold: setting(
    share({ min: 0.3 }),
    0.8,
    `The share of their shingles that two pages have in common, by the estimate of their sketches, to be near-duplicates (the Jaccard
    coefficient). Holds for pages that are fetched from now on.`,
  ),
  nearShingle: setting(
    integer({ min: 1, max: 20 }),
    5,
    `Words of a shingle, the runs of words by which texts are compared; textbooks take 4. Fewer words make texts more alike, of one site above
    all. A folder keeps the length that its sketches were made with.`,
  ),
  nearSketch: setting(
    integerOr('bins', { min: 16, max: 1000 }),
    'bins',
    `How the shingles of a page are reduced to a sketch. \`bins\`: one permutation of them in 400 bins, one step for each shingle. A number: as
    many random permutations as it says, with the least shingle of each, as minhash is taught; \`200\` is usual. It takes as many steps for each
    shingle and estimates less closely ([duplicates](duplicates.md)). A folder keeps the sketch that it began with.`,
  ),
  duplicateLinks: setting(
    oneOf('follow', 'skip'),
    'follow',
    `What becomes of the links on a page that is a copy of another, or nearly one. \`follow\` loses nothing: a copy may lead where its
    original does not. \`skip\` stores the page and leaves its links alone; a URL that a page of its own leads to comes in all the same.
    Links of a near-duplicate are known for such when the page is read, so that the first of two is always followed.`,
  ),
  mirrors: setting(
    truth,
    true,
    `Find hosts that show the same pages under the same paths (www and without, http and https, staging copies) and crawl only
    one of them. Links to the others are followed on that one; a few pages are still compared, so that hosts that part are noticed.`,
  ),
  softNotFound: setting(
    truth,
    true,
    `Recognise pages that say "not found" with status 200, by asking a host that gives cause for a page that cannot exist (at
    most twice) and comparing. Needs \`text\`.`,
  ),
  spam: setting(
    truth,
    true,
    `Look for stuffed terms, hidden text, doorways and link farms, and note a score with its evidence. Links of such pages come
    last; nothing is dropped. Needs \`text\`.`,
  ),
  cloakingChecks: setting(
    share(),
    0,
    `Share of the pages that are asked for once more under the name of a browser, at another turn of their host, to see whether it is
    sent another text. 0, the default, never pretends to be anybody else. Needs \`spam\`.`,
  ),
};
