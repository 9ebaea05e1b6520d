import { list, map, mapOfLists } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { bytes, decimal, duration, integer, oneOf, truth } from '../scalar-kinds.ts';
import {
  credential,
  dnsServer,
  headerLine,
  hostName,
  hostOrNetwork,
  ipAddress,
  mediaTypeGroup,
  origin,
  proxyUrl,
} from '../text-kinds.ts';

/** Which machines may be reached, and how their addresses are found. */
export const addressSettings = {
  allowPrivate: setting(
    truth,
    false,
    `Also connect to addresses that are not public: loopback, private networks, link-local and the like. Without it, such an address is refused
    when the connection is made, whatever name or redirect led there.`,
  ),
  allowHosts: setting(
    list(hostOrNetwork, 'comma'),
    [],
    'Hosts and networks that may be reached although their addresses are not public. Narrower than `allow-private`.',
  ),
  hosts: setting(
    map(hostName, ipAddress, 'comma'),
    {},
    'Addresses of hosts that are not to be looked up, such as `intranet.example=10.0.0.7`. The address must still be one that may be reached.',
  ),
  dnsServers: setting(list(dnsServer, 'comma'), [], 'Name servers to ask instead of those of the system.'),
  dnsTtlMin: setting(
    duration({ max: 86_400_000 }),
    60_000,
    'An answer is kept for at least so long, even where its own time to live is shorter.',
  ),
  dnsTtlMax: setting(duration({ max: 7 * 86_400_000 }), 86_400_000, 'An answer is kept for at most so long.'),
  dnsNegativeTtl: setting(
    duration({ max: 86_400_000 }),
    300_000,
    'How long it is remembered that a name does not exist.',
  ),
  ipFamily: setting(
    oneOf('auto', 'ipv4', 'ipv6', 'ipv4-first', 'ipv6-first'),
    'auto',
    'Which addresses to use. `ipv4` and `ipv6` use one kind alone; the others use both and differ in which is tried first.',
  ),
};

/** How long, how large, how slow. */
export const fetchSettings = {
  connectTimeout: setting(duration({ min: 10, max: 600_000 }), 10_000, 'Longest wait for a connection, TLS included.'),
  headersTimeout: setting(
    duration({ min: 10, max: 3_600_000 }),
    30_000,
    'Longest wait from the request to the end of the response headers.',
  ),
  bodyTimeout: setting(duration({ min: 10, max: 3_600_000 }), 30_000, 'Longest silence between two pieces of a body.'),
  totalTimeout: setting(
    duration({ min: 10, max: 43_200_000 }),
    300_000,
    'Longest time for one request, from looking up the name to the last byte. What has arrived by then is kept as truncated.',
  ),
  minRate: setting(
    bytes(),
    500,
    'A body that arrives more slowly than this is given up; measured over ten seconds, so that a short pause does no harm. Unit: bytes per second. 0 turns the rule off.',
  ),
  maxBody: setting(
    bytes({ min: 1 }),
    16 * 2 ** 20,
    'Largest body, as received and after decompression. A longer one is cut there and marked as truncated.',
  ),
  bodyMemory: setting(
    bytes({ min: 2 ** 20 }),
    96 * 2 ** 20,
    `Memory for bodies, over all requests: a third for those that arrive, a third for those up to 2 MiB and a third for larger ones that
    are being read. Beyond it, those that arrive go to a file without a name in the crawl folder, and large ones wait for their
    turn to be read. No request waits for it. One body alone may take more.`,
  ),
  maxBodyByType: setting(
    map(mediaTypeGroup, bytes({ min: 1 }), 'comma'),
    { 'application/pdf': 64 * 2 ** 20 },
    'Largest body by media type, such as `application/pdf=64MiB,image/*=2MiB`. The most precise entry counts; without one, `max-body`.',
  ),
  decodeMaxRatio: setting(
    decimal({ min: 1 }),
    500,
    'A body that grows by more than this factor when it is decompressed is taken for a bomb and dropped.',
  ),
  maxRedirects: setting(
    integer({ max: 100 }),
    10,
    'Most redirects in a row. Each is a task of its own, with robots.txt, scope and politeness of its own host.',
  ),
  http2: setting(truth, true, 'Speak HTTP/2 where the server offers it.'),
  tlsVerify: setting(truth, true, 'Require valid certificates. Turn it off only for servers that are your own.'),
  proxy: setting(
    list(proxyUrl, 'space'),
    [],
    `Proxies for all requests. Each host is asked through one of them as long as that works, through another after that, and never without one.
    Proxies look up the names, so \`allow-private\` and the DNS settings no longer protect.`,
    { secret: true },
  ),
  cookies: setting(
    truth,
    false,
    'Keep cookies for the length of a run and send them back to the hosts they belong to.',
  ),
  header: setting(
    mapOfLists(origin, headerLine, 'line'),
    {},
    'Further request headers for one origin, such as `https://example.org=X-Api-Key: abc`. They are never sent to another origin.',
    { secret: true },
  ),
  credentials: setting(
    map(origin, credential, 'line'),
    {},
    `Authorization for one origin, such as \`https://example.org=basic user:password\`. Never sent to another origin. Flags can be
    read by other users of the machine: prefer the environment or the settings file.`,
    { secret: true },
  ),
};
