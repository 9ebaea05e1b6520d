import { setting } from '../kind.ts';
import { bytes, duration, integer, oneOf, truth } from '../scalar-kinds.ts';

/** How much is made of what was fetched. */
export const contentSettings = {
  text: setting(
    truth,
    true,
    `Find the main text of every page and document, its language and what it says of itself (author, dates, site …), and keep the
    text beside the page in the archive. Off, documents are only stored; links of HTML, feeds and sitemaps are still followed, those
    inside PDF and Office files are not.`,
  ),
  documentTime: setting(
    duration({ min: 1 }),
    10_000,
    'Longest time for turning one PDF or Office file into text. What was read by then is kept.',
  ),
  documentPages: setting(integer({ min: 1 }), 2000, 'Pages, slides or sheets of a document that are read.'),
  documentUnpacked: setting(
    bytes({ min: 1024 }),
    128 * 2 ** 20,
    'Most bytes that the compressed parts of one document may unpack to. A bomb ends as too large.',
  ),
  sitemaps: setting(
    oneOf('off', 'robots', 'all'),
    'robots',
    `Sitemaps to read for further pages: \`robots\`, those that robots.txt names; \`all\`, also the usual places, such as
    /sitemap.xml, on every host that names none. What they list is followed within the scope, like links. They are found when
    robots.txt is read, so not where \`robots\` is off.`,
  ),
  images: setting(
    oneOf('off', 'describe', 'fetch'),
    'off',
    `What becomes of the pictures, films and sounds that pages show. \`describe\`: each can be found by \`type:image\`, \`type:video\` or
    \`type:audio\` in a query, by what its pages say of it; nothing more is requested for that. \`fetch\`: pictures are also fetched, each as a URL like any other, within the scope and by
    the rules and delays of its host, and the search page shows them. Needs \`index\`. See docs/images.md.`,
  ),
};
