import { map } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { failedStatus, retryRule } from '../retry-kinds.ts';
import { decimal, duration, integer, oneOf, share, text, truth } from '../scalar-kinds.ts';
import {
  contactPoint,
  headerValue,
  hostAndPort,
  mailAddress,
  productToken,
  productTokenOrNone,
  secureOrigin,
} from '../text-kinds.ts';

/** How long a host rests. */
export const politenessSettings = {
  delay: setting(
    duration({ max: 86_400_000 }),
    1000,
    `Least rest of a host between the end of one request and the start of the next. The rest is the longest of this, of the
    adaptive delay, and of the Crawl-delay in the host's robots.txt. 0 turns the adaptive delay off as well.`,
  ),
  delayFactor: setting(
    decimal({ max: 1000 }),
    5,
    'The adaptive delay is the time of the last fetch multiplied by this: a server that answers slowly is asked less. 0 turns it off.',
  ),
  maxAdaptiveDelay: setting(
    duration({ max: 86_400_000 }),
    30_000,
    'Upper bound of the adaptive delay. It does not cut `delay`, a Crawl-delay or a Retry-After, nor the rest below the time of the last fetch.',
  ),
  hostConcurrency: setting(
    integer({ min: 1, max: 255 }),
    1,
    `Most requests to one host at once. Leave it at 1 for servers that are not yours. With more, the rest of a host counts between
    the starts of requests; it is still the longest of \`delay\`, the adaptive delay and the Crawl-delay, so what speeds a crawl up
    is this with \`delay\` 0. A Retry-After holds all requests to its host.`,
  ),
  hostConcurrencyOf: setting(
    map(hostAndPort, integer({ min: 1, max: 255 }), 'comma'),
    {},
    'The same for single hosts, such as `intranet.example=8` or `localhost:8080=16`: for servers of your own among others.',
  ),
  politeness: setting(
    oneOf('host', 'host+ip', 'host+domain', 'host+ip+domain'),
    'host',
    `Whose rest counts: the host's alone, or also that of all hosts at the same address, or under the same registrable domain. With
    more than one, a URL waits until all of them are rested.`,
  ),
  retries: setting(
    integer({ max: 100 }),
    4,
    `Most times that a URL is tried again after a failure that may pass, such as a timeout or HTTP 503. Some kinds of failure allow fewer, and
    those that do not pass allow none. A host that has never answered is tried no more often either: with 0, a dead server ends a crawl at once.`,
  ),
  retryStatus: setting(
    map(failedStatus, retryRule, 'comma'),
    {},
    `How often a URL is tried again that was answered with a status, and after which wait: \`403=2/30s,5xx=0\`. Each further wait is twice as
    long. A status counts before its class. Of others, 408, 425 and 5xx are tried twice more, 429 and 503 ten times, and the rest not at all. A
    host that asks for patience rests in any case.`,
  ),
  backoffStart: setting(
    duration({ min: 1, max: 86_400_000 }),
    60_000,
    'First wait of a host that pushes back (HTTP 429 or 503 without Retry-After) or cannot be reached. Each further one in a row doubles it.',
  ),
  backoffMax: setting(
    duration({ min: 1, max: 30 * 86_400_000 }),
    86_400_000,
    'Upper bound of that wait. A Retry-After of the server is not cut.',
  ),
  backoffJitter: setting(
    share(),
    0.1,
    'Share of the wait by which it may grow at random, so that hosts do not come back in step.',
  ),
  backoffForgiveness: setting(
    duration({ min: 1, unlimited: true }),
    1_800_000,
    'A host that gave no reason to wait for so long starts afresh with `backoff-start`.',
  ),
  unreachableLimit: setting(
    integer({ min: 1, unlimited: true }),
    3,
    'A host that could not be reached so often in a row is parked for this run. Its URLs are kept and tried in the next.',
  ),
  lease: setting(
    duration({ min: 100, max: 86_400_000 }),
    600_000,
    `How long a URL belongs to the worker that took it. If nothing is heard of it by then, it goes back to its queue. Must be longer than
    \`total-timeout\`.`,
  ),
};

/** What sites ask of crawlers. */
export const robotsSettings = {
  robots: setting(truth, true, 'Obey robots.txt. Turn it off only for sites that are your own.'),
  robotsMaxAge: setting(
    duration({ min: 1000, max: 7 * 86_400_000 }),
    86_400_000,
    'A robots.txt older than this is fetched again before the next request to its host. RFC 9309 advises at most a day.',
  ),
  tdmrep: setting(
    truth,
    false,
    `Ask every origin for /.well-known/tdmrep.json after its robots.txt, and record what it reserves for text and data mining. One
    more request per origin, which obeys robots.txt and takes the host's turn. Off where \`robots\` is off.`,
  ),
  robotsAgent: setting(
    productToken,
    'Orbweaver',
    'The name that is looked for in the User-agent lines of robots.txt, in META tags and in X-Robots-Tag.',
  ),
  robotsFallback: setting(
    productTokenOrNone,
    '',
    `The name that counts where a robots.txt has no group for \`robots-agent\`: a crawler for news, \`Orbweaver-News\`, listens to what is said
    to \`Orbweaver\` then, and to \`*\` only where neither is named. META tags and X-Robots-Tag are obeyed under both names.`,
  ),
  followNofollow: setting(
    truth,
    false,
    'Also follow links that are marked `nofollow`, one by one or for the whole page.',
  ),
  storeNoindex: setting(
    truth,
    true,
    `Keep pages that say \`noindex\` in the archive, marked as such; they are not put into a search index. When off, their links are followed but
    they are not kept.`,
  ),
};

/** How the crawler introduces itself. */
export const identitySettings = {
  profile: setting(
    text(),
    '',
    `The kind of crawler that this run is: a name under \`profiles\` in the settings file, whose settings then count before the others of the
    file ([profiles](profiles.md)).`,
  ),
  userAgent: setting(
    headerValue,
    '',
    'The User-Agent header. When empty it is `Orbweaver/VERSION (+CONTACT)`. The contact is added where the text does not hold it.',
  ),
  contact: setting(
    contactPoint,
    '',
    'Where the people behind a site can reach you. Part of the user agent. Please set it for every crawl of sites that are not your own.',
  ),
  from: setting(mailAddress, '', 'A From header with the mail address of whoever runs the crawl. Not sent when empty.'),
  acceptLanguage: setting(headerValue, '', 'The Accept-Language header, such as `de, en;q=0.5`. Not sent when empty.'),
  signatureKey: setting(
    text('a key file', undefined, '<file>'),
    '',
    `A file with an Ed25519 private key, in PEM or as a JWK: requests are signed with it (Web Bot Auth), so that servers can tell this crawler
    from others that use its name. \`orbweaver bot key\` makes one. See [identity](identity.md).`,
  ),
  signatureAgent: setting(
    secureOrigin,
    '',
    'The https origin that publishes the public key of `signature-key`, such as `https://bot.example.org`. `orbweaver bot site` writes what belongs there.',
  ),
};
