import { list, map } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { bytes, decimal, duration, integer, integerOrAuto, oneOf, text, truth } from '../scalar-kinds.ts';
import { fileExtension, mediaRange, pattern } from '../text-kinds.ts';

/** Which URLs belong to the crawl. */
export const scopeSettings = {
  seed: setting(
    list(text('a seed', undefined, '<seed>'), 'line'),
    [],
    `Seeds, beside those on the command line, each written as a line of a seed list: a URL, and after it, where the seed has its own, \`scope=…\` and \`depth=…\`
    ([seeds](seeds.md)).`,
  ),
  scope: setting(
    oneOf('any', 'domain', 'host', 'directory', 'tld'),
    'domain',
    `How far links may lead from the seeds. \`directory\`: below the folders of the seeds (the folder of /docs/ and of /docs/index.html is /docs/, that of /docs is /); \`host\`: the same hosts, port
    included; \`domain\`: the same registrable domains (news.example.co.uk and example.co.uk are one); \`tld\`: the same
    top-level domains; \`any\`: anywhere. http and https on their usual ports count as one host; an address or a name like localhost is its own domain, with its
    port. Seeds themselves are always in scope, and what a seed redirects to counts as a seed: the scope begins there too, unless
    another rule refuses it. With \`directory\` a redirect upwards on the same site opens that page alone.`,
  ),
  include: setting(
    list(pattern, 'space'),
    [],
    `When given, only URLs that match one of these patterns are followed; seeds and what they redirect to are exempt. A pattern
    with \`*\` is a glob over the whole text (\`*\` any characters, slashes too; \`?\` one character; \`\\*\` a star itself); one
    without is a prefix. A pattern that begins with \`/\` looks at path and query; one without \`://\` and without a leading star begins at the
    host name; any other looks at the whole URL. \`re:\` begins a regular expression that may match anywhere in the URL: groups, alternation,
    classes, quantifiers, \`^\`, \`$\` and a leading \`(?i)\`; look-around and back-references are refused, which keeps the time linear.`,
  ),
  exclude: setting(
    list(pattern, 'space'),
    [],
    'URLs that match one of these patterns are never followed, and pages that are stored already leave the search. Written as for `include`, and stronger than it.',
  ),
  excludeExtensions: setting(
    list(fileExtension, 'comma'),
    [
      // images
      ...['avif', 'bmp', 'gif', 'heic', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'tif', 'tiff', 'webp'],
      // sound and film
      ...['aac', 'avi', 'flac', 'm4a', 'm4v', 'mkv', 'mov', 'mp3', 'mp4', 'mpeg', 'mpg', 'ogg', 'wav', 'webm', 'wmv'],
      // parts of pages
      ...['css', 'eot', 'js', 'mjs', 'otf', 'ttf', 'woff', 'woff2'],
      // packages, programs, disk images
      ...[
        '7z',
        'apk',
        'bin',
        'bz2',
        'deb',
        'dmg',
        'exe',
        'gz',
        'iso',
        'jar',
        'msi',
        'rar',
        'rpm',
        'tar',
        'tgz',
        'xz',
        'zip',
      ],
    ],
    `Links whose path ends in one of these extensions are not followed. Seeds are exempt; so are the parts of a page where
    \`resources\` is on. An empty list turns the rule off.`,
  ),
  mediaTypes: setting(
    list(mediaRange, 'comma'),
    [
      'text/*',
      'application/xhtml+xml',
      'application/xml',
      'application/*+xml',
      'application/json',
      'application/*+json',
      'application/pdf',
      'application/rtf',
      'application/x-rtf',
      'application/x-pdf',
      'application/epub+zip',
      'application/msword',
      'application/vnd.ms-*',
      'application/vnd.openxmlformats-officedocument.*',
      'application/vnd.oasis.opendocument.*',
    ],
    `Documents of other media types are dropped as soon as their headers are read; their bodies are not fetched. A response
    that does not tell its type, or says application/octet-stream of a URL that ends like a document, is kept. With \`resources\` on, images, sound, film, fonts, styles and scripts are taken too.
    \`*/*\` takes everything.`,
  ),
  resources: setting(
    truth,
    false,
    `Also fetch what pages are made of: images, scripts, style sheets with all that they name, fonts, sound and film. Cached copies are
    then shown with their styles and pictures. Each is a URL like any other: the rules, the delay of its host and the limits hold for it.`,
  ),
  maxLinksPerPage: setting(
    integer({ min: 1, max: 1_000_000 }),
    50_000,
    `Links of one page, feed or document that are followed, in document order and repeated ones included; the rest are only counted
    (\`explain\` tells how many). As many as a sitemap may list. It keeps a page of a million links from filling memory and holding
    up the crawl; each 50,000 take about a second.`,
  ),
  maxUrlLength: setting(
    integer({ min: 16, max: 65_536 }),
    2048,
    'Longer URLs are not followed. Unit: characters of the canonical form.',
  ),
};

/** When enough is enough. */
export const limitSettings = {
  maxPages: setting(
    integer({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    `The crawl pauses when this many pages have been stored. With \`--continuous\` it takes in no new ones from then on, and visits those
    it has again. A higher limit lets the same folder go on.`,
  ),
  maxDepth: setting(
    integer({ unlimited: true }),
    Number.POSITIVE_INFINITY,
    `Most links to follow from a seed; 0 fetches the seeds alone. Redirects do not count. The way by which a URL is found first counts: with
    many hosts that is not always the shortest.`,
  ),
  maxBytes: setting(
    bytes({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    'The crawl pauses when so much has been received over the network.',
  ),
  maxDuration: setting(
    duration({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    'This run pauses after so long. The next run has the whole time again.',
  ),
  maxWait: setting(
    duration({ min: 1000, unlimited: true }),
    3_600_000,
    `When nothing is left but hosts that ask for a longer rest than this (Retry-After, Crawl-delay, back-off), the run ends. The same command
    goes on with them. A crawl with \`continuous\` waits.`,
  ),
  hostMaxPages: setting(
    integer({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    'Most pages of one host. URLs beyond it stay parked and go on when the limit is raised.',
  ),
  hostMaxBytes: setting(
    bytes({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    'Most bytes to receive from one host.',
  ),
  hostMaxTime: setting(
    duration({ min: 1, unlimited: true }),
    Number.POSITIVE_INFINITY,
    'Most time to keep one host busy: the sum of its fetch times, without the rests between them.',
  ),
  hostMaxQueue: setting(
    integer({ min: 1, unlimited: true }),
    1_000_000,
    'Most URLs of one host that may wait at once. It stops a host that makes up links without end from filling the disk.',
  ),
};

/** What keeps a crawl of the wide web from spending itself on few domains. */
export const domainSettings = {
  domainPages: setting(
    integer({ min: 1, unlimited: true }),
    10_000,
    `Pages of a registrable domain that nobody links to. The domains of the seeds have no such limit; for the others it grows with every
    other domain that links there (\`domain-pages-per-link\`). What is beyond waits, and goes on when more links come.`,
  ),
  domainPagesPerLink: setting(integer(), 1000, 'Pages that each linking domain adds.'),
  domainHosts: setting(
    integer({ min: 1, unlimited: true }),
    100,
    'Hosts below a registrable domain that nobody links to, seeds excepted. It stops domains that make up host names without end.',
  ),
  domainHostsPerLink: setting(integer(), 10, 'Hosts that each linking domain adds.'),
  domainMaxHosts: setting(
    integer({ min: 1, unlimited: true }),
    10_000,
    'The most hosts of one domain, whatever links there. The domains of seeds have this from the start; hosts that are seeds themselves do not count.',
  ),
};

/** What comes first. */
export const orderSettings = {
  order: setting(
    text(
      'breadth-first, depth-first, random, best-first, or a mix such as pagerank:3,in-degree:1',
      (raw) => (/^[a-z0-9:.,\s-]+$/i.test(raw) ? raw.toLowerCase() : undefined),
      '<order>',
    ),
    'breadth-first',
    `Which URL comes first. \`breadth-first\` takes those nearest to a seed, \`depth-first\` the newest, \`random\` any, \`best-first\` those that matter
    most by what is known so far; or say what counts, and how much: \`in-degree\`, \`out-degree\`, \`opic\`, \`pagerank\`, \`rank-forecast\`, \`host-rank\`,
    \`host-size\`, \`topic\`, \`feeds\`, \`sitemap-priority\`, \`depth\`, \`path-depth\`, \`path-children\`, \`boost\`, such as \`pagerank:3,depth:1\`. Within what politeness
    leaves: a host that must rest never holds up the others. See docs/orders.md.`,
  ),
  boost: setting(
    map(pattern, decimal({ min: -100, max: 100 }), 'space', 'last'),
    {},
    `URLs that are wanted sooner, or later with a negative number, such as \`https://example.org/news/*=2\`. Patterns as for \`include\`. With
    best-first and mixes it is in doublings, with breadth-first in links from the seed; with depth-first the greatest come first.`,
  ),
  lanes: setting(
    integer({ min: 1, max: 64 }),
    8,
    'Number of front queues, the most urgent first. Breadth-first uses one for each depth, and the last for all that is deeper.',
  ),
  laneChoice: setting(
    oneOf('strict', 'biased'),
    'strict',
    `How the next front queue is chosen. \`strict\`: the most urgent that has a URL ready; \`biased\`: at random, each queue half as
    often as the one before it, so that no queue starves.`,
  ),
  concurrency: setting(
    integer({ min: 1, max: 10_000 }),
    100,
    'Most requests under way at once, over all hosts. One host has no more than `host-concurrency` says.',
  ),
  loadControl: setting(
    truth,
    true,
    `Ask for fewer pages at once than \`concurrency\` says where the machine cannot keep up: where the crawl gets late to what is due
    (a busy processor, a slow disk), where its memory is nearly used up, or where the line fails. \`status\` and the dashboard tell.`,
  ),
  workers: setting(
    integerOrAuto({ max: 64 }),
    'auto',
    `Threads that fetch, read and archive pages, beside the one that decides. \`auto\` takes one for each processor core but one, all cores where many
    hosts are crawled without an index, and none for a crawl of few hosts, or of links alone on two cores; 0 does everything in one thread.`,
  ),
};
