import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { integer, oneOf, share, text } from '../scalar-kinds.ts';

const collector = text(
  'the http or https URL of an OTLP receiver, such as http://127.0.0.1:4318/v1/traces',
  (raw) => (raw === '' || (/^https?:\/\/\S+$/i.test(raw) && URL.canParse(raw)) ? raw : undefined),
  '<url>',
);

const headerText = text(
  'a header such as `Authorization: Bearer abc`',
  (raw) => (/^[!#$%&'*+.^_`|~0-9a-z-]+:[\t\u0020-\u007e]*$/i.test(raw) ? raw : undefined),
  '<header>',
);

/** What a crawl tells of itself while it runs. */
export const observabilitySettings = {
  metricsPort: setting(
    integer({ max: 65_535 }),
    0,
    `Serve \`/metrics\` for Prometheus, \`/healthz\` and \`/readyz\` at this port while the crawl runs; 0: not. The search page of \`serve\` and \`start\`
    has them anyway. See docs/metrics.md.`,
  ),
  metricsHost: setting(
    text(),
    '127.0.0.1',
    'Address that `metrics-port` listens on. Others than loopback let others read the figures of the crawl: there is no token.',
  ),
  log: setting(
    oneOf('text', 'json'),
    'text',
    `How a crawl tells on standard error what happens. \`text\`: for people, with progress in place. \`json\`: one object a line, with time, level and a
    stable event name; see docs/metrics.md#logs.`,
  ),
  logLevel: setting(
    oneOf('debug', 'info', 'warn', 'error'),
    'info',
    'With `log` json: nothing below this level is written. `debug` writes a line for every visit.',
  ),
  traces: setting(
    collector,
    '',
    `Where spans of visits are sent, as OTLP over HTTP in JSON. Nothing waits for the receiver: where it is slow or away, spans are dropped and counted.
    Empty: no traces.`,
    { secret: true },
  ),
  traceSample: setting(share(), 0.01, 'With `traces`: the share of the visits that are traced.'),
  traceHeaders: setting(
    list(headerText, 'line'),
    [],
    'With `traces`: headers that go with each request, such as `Authorization: Bearer abc`.',
    { secret: true },
  ),
};
