import { setting } from '../kind.ts';
import { bytes, decimal, duration, integer, oneOf, text, truth } from '../scalar-kinds.ts';
import { archiveStoreUrl, databaseUrl } from '../text-kinds.ts';

/** What is kept, and how safely. */
export const storageSettings = {
  archiveFileSize: setting(
    bytes({ min: 1024 }),
    2 ** 30,
    'A WARC file that would grow beyond this size is closed and the next one begun. A single larger page still gets a file of its own.',
  ),
  archiveCompressionLevel: setting(
    integer({ max: 9 }),
    1,
    `How hard records are compressed. 1 is an encoder made for speed; 2 to 9 are zlib's, up to a fifth smaller for several times the CPU; 0
    stores them as they are. What a server sent compressed is kept so.`,
  ),
  archiveStore: setting(
    archiveStoreUrl,
    '',
    `Experimental: ships every archive file, when it is complete, to a bucket that speaks the protocol of S3, such as \`s3://bucket/prefix\`. Elsewhere
    than at Amazon: \`s3://bucket/prefix?endpoint=https://host:9000\`; \`&region=\` where it is not that of AWS_REGION or us-east-1, \`&addressing=\`
    \`path\` or \`host\` where the bucket is not found. The keys come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the file
    of AWS_SHARED_CREDENTIALS_FILE. Empty: files stay in the folder. See docs/archive.md.`,
  ),
  archiveLocal: setting(
    oneOf('keep', 'delete'),
    'keep',
    `With \`archive-store\`: what becomes of an archive file in the folder when the store has confirmed that it holds the same bytes. With
    \`delete\` its index stays; copies of pages are read from the store from then on.`,
  ),
  durability: setting(
    oneOf('process', 'power'),
    'process',
    `What a settled page survives. \`process\`: the sudden end of the process, even kill -9. \`power\`: also the sudden end of the machine, at the
    price of waiting for the disk at each commit. After a power cut with \`process\` the last pages may be lost, and the archive may be
    behind the state: then \`crawl\` stops with FOLDER_CORRUPT, and \`orbweaver check --repair\` has the lost pages fetched again.`,
  ),
  store: setting(
    databaseUrl,
    '',
    `Experimental: keeps the state of the crawl in a PostgreSQL database, such as \`postgres://user@host/db\`; \`?schema=\` gives each of
    several crawls its own tables. One process crawls; archive, links and index stay in the folder, and with them a working copy
    of the state, which all other commands read. Empty: the state is in the folder alone. Flags can be read by other users of the
    machine: prefer the environment or the settings file. See docs/postgres.md.`,
    { secret: true },
  ),
  partitions: setting(
    integer({ min: 1, max: 16_384 }),
    1,
    `Experimental: into how many parts the hosts of a crawl in a database (\`store\`) are divided, for life. More than one: any number of
    nodes take part, the command itself and \`orbweaver node\` elsewhere; about 16 for each node that there may ever be. See
    docs/postgres.md.`,
  ),
  partitionLease: setting(
    duration({ min: 1000, max: 600_000 }),
    30_000,
    `With several nodes: another node takes over the partitions of one that gave no sign of life for so long. No request of a node that is
    cut off from the database begins or goes on after it.`,
  ),
  searchAddress: setting(
    text(),
    '',
    `With several nodes: where this one answers searches of other machines, as host and port, such as \`10.0.0.5:8790\`; port 0 takes any free
    one. Other addresses than those of loopback need \`search-token\`. What is sent is not encrypted: keep it to a network of your own. Empty:
    nobody else searches the index of this node. See docs/postgres.md.`,
  ),
  searchToken: setting(
    text(),
    '',
    `With several nodes: a secret that nodes and those who search their indexes over the network share. Flags can be read by other users of the
    machine: prefer the environment or the settings file.`,
    { secret: true },
  ),
  searchTimeout: setting(
    duration({ min: 100, max: 60_000 }),
    2000,
    'With several nodes: a search goes on without those that have not answered within this time, and says so.',
  ),
  nodeWeight: setting(
    decimal({ min: 0.01, max: 1000 }),
    1,
    'With several nodes: how many partitions this one takes, relative to the others.',
  ),
  partitionBy: setting(
    oneOf('site', 'hierarchy', 'url'),
    'site',
    `With several nodes: what decides the partition of a page, for life. \`site\`: its host, or its domain where politeness is kept by domain.
    \`hierarchy\`: the top-level domain of its host, for nodes that stand in the countries they crawl. \`url\` is for comparisons with
    \`simulate run --cluster\` alone: hosts would have no owner. See docs/postgres.md.`,
  ),
  assignment: setting(
    oneOf('dynamic', 'nearest', 'static', 'independent'),
    'dynamic',
    `With several nodes: who has which partition. \`dynamic\`: nodes share them by weight, and take over those of nodes that leave or die.
    \`nearest\`: likewise, and each partition goes to the node that its hosts answer fastest, once all have found out; see docs/postgres.md.
    \`static\`: each has a fixed share by its number (\`nodes\`, \`node-number\`), which nobody else takes. \`independent\` is for comparisons
    with \`simulate run --cluster\` alone.`,
  ),
  nodes: setting(integer({ max: 16_384 }), 0, 'With `assignment` static: how many nodes share the crawl.'),
  nodeNumber: setting(
    integer({ max: 16_384 }),
    0,
    `With \`assignment\` static: the number of this node, from 1 to \`nodes\`. The command that begins the crawl is number 1 where it is not
    given. Of two nodes with one number the second has what the first gives up.`,
  ),
  leavingLinks: setting(
    oneOf('exchange', 'firewall', 'cross-over'),
    'exchange',
    `With several nodes: what happens to links that leave the share of a node. \`exchange\`: they are sent to the node that they lead to.
    \`firewall\`: they are not followed; needs \`assignment\` static. \`cross-over\` is for comparisons with \`simulate run --cluster\` alone:
    two nodes would ask one host.`,
  ),
  popularLinks: setting(
    integer({ max: 2 ** 27 }),
    2 ** 20,
    'With several nodes: how many of the links that leave most often a node remembers, so as not to send them again; 9 bytes each.',
  ),
  index: setting(
    truth,
    true,
    `Fill the search index while the crawl runs: a stored page can be found within seconds. Off, \`orbweaver index\` does it
    later. Of the commands \`crawl\` and \`start\`; a crawl of the library is indexed on request.`,
  ),
  recordRefusals: setting(
    integer({ unlimited: true }),
    1_000_000,
    `Most refused links to keep, so that \`explain\` can tell why they were not followed and a later run with other rules can judge
    them again. Beyond it they are only counted, but for what is held back as a trap, a mirror or over a budget.`,
  ),
};
