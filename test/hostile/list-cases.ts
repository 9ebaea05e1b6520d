import { gzipSync } from 'node:zlib';
import { pour, repeated } from './byte-pour.ts';
import { BODY_BYTES, type HostileCase, type HostileRequest, REQUEST_SECONDS } from './hostile-case.ts';
import { head, message, page } from './hostile-message.ts';

const XML = 'Content-Type: application/xml';
const SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const LAUGHS = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i === 0 ? '' : i};`.repeat(10)}">`).join('')}]>`;
const EXTERNAL = '<!DOCTYPE x [<!ENTITY secret SYSTEM "file:///etc/passwd">]>';

/** A host whose robots.txt names one sitemap, which is hostile. */
function sitemap(
  name: string,
  reply: (request: HostileRequest) => Buffer | Iterable<Buffer>,
  bound: string,
  more: Partial<HostileCase> = {},
): HostileCase {
  return {
    ...{
      name: `sitemap-${name}`,
      group: 'lists',
      bound,
      expect: ['any'],
      maxBytes: 4 * BODY_BYTES,
      maxSeconds: REQUEST_SECONDS.body,
    },
    robots: (socket, { origin }) =>
      void socket.write(
        message(`User-agent: *\nDisallow: /entry/\nSitemap: ${origin}/sitemap.xml\n`, ['Content-Type: text/plain']),
      ),
    answer: (socket, request) => {
      if (!request.target.startsWith('/sitemap')) {
        socket.write(message(page(`${name}${request.target}`)));
        return;
      }
      const sent = reply(request);
      pour(socket, Buffer.isBuffer(sent) ? [sent] : sent);
    },
    ...more,
  };
}

/** Sitemaps and feeds that bomb, recurse or never end. */
export const LIST_CASES: readonly HostileCase[] = [
  sitemap('bomb', () => message(bomb(1024), ['Content-Type: application/gzip']), '50 MiB unpacked'),
  sitemap('bomb-encoded', () => message(bomb(1024), [XML, 'Content-Encoding: gzip']), 'decode-max-ratio'),
  sitemap('index-of-itself', () => message(index('/sitemap.xml'), [XML]), 'a known URL is not asked for again', {
    maxRequests: 8,
  }),
  sitemap('index-endless', ({ nth }) => message(index(`/sitemap-${nth}.xml`), [XML]), 'three indexes in a row', {
    maxRequests: 8,
  }),
  sitemap(
    'fifty-thousand',
    ({ origin }) => message(entries(50_000, origin), [XML]),
    'robots.txt forbids all of them: no request is made',
    { maxRequests: 8 },
  ),
  sitemap(
    'laughs',
    () => message(`<?xml version="1.0"?>${LAUGHS}<urlset><url><loc>/&lol9;</loc></url></urlset>`, [XML]),
    'entities are not expanded',
  ),
  sitemap(
    'external',
    () => message(`<?xml version="1.0"?>${EXTERNAL}<urlset><url><loc>/&secret;</loc></url></urlset>`, [XML]),
    'entities are not expanded',
  ),
  sitemap('endless', () => endless(`${SITEMAP}<url><loc>/same</loc></url>`, '<url><loc>/same</loc></url>'), '50 MiB', {
    maxBytes: 80 * 2 ** 20,
    maxSeconds: REQUEST_SECONDS.total,
  }),
  sitemap('endless-tag', () => endless(`${SITEMAP}<url><loc`, ' a="b"'), '50 MiB', {
    maxBytes: 80 * 2 ** 20,
    maxSeconds: REQUEST_SECONDS.total,
  }),
  sitemap('deep', () => message(`${SITEMAP}${'<url>'.repeat(200_000)}`, [XML]), 'depth costs nothing'),
  sitemap('html', () => message(page('no sitemap'), ['Content-Type: text/html']), 'unreadable'),
  feed(
    'laughs',
    () =>
      `<?xml version="1.0"?>${LAUGHS}<rss version="2.0"><channel><title>&lol9;</title><item><title>i</title><link>/from-feed</link></item></channel></rss>`,
  ),
  feed(
    'external',
    () => `<?xml version="1.0"?>${EXTERNAL}<rss version="2.0"><channel><title>&secret;</title></channel></rss>`,
  ),
  feed(
    'items',
    () =>
      `<rss version="2.0"><channel><title>t</title>${'<item><title>i</title><link>/one</link></item>'.repeat(200_000)}</channel></rss>`,
  ),
  feed('deep', () => `<rss version="2.0"><channel>${'<item>'.repeat(300_000)}`),
  feed('one-title', () => `<rss version="2.0"><channel><title>${'&amp;'.repeat(1_500_000)}</title></channel></rss>`),
];

function feed(name: string, body: () => string): HostileCase {
  return {
    ...{
      name: `feed-${name}`,
      group: 'lists',
      bound: 'max-body; entities are not expanded',
      expect: ['any'],
      maxBytes: BODY_BYTES,
    },
    answer: (socket, { target }) =>
      void socket.write(
        target === '/' ? message(body(), ['Content-Type: application/rss+xml']) : message(page(`${name}${target}`)),
      ),
  };
}

/** Unpacks to so many MiB of white space. */
function bomb(mebibytes: number): Buffer {
  const piece = gzipSync(Buffer.alloc(2 ** 24, ' '), { level: 9 });
  return Buffer.concat([gzipSync(SITEMAP), ...Array<Buffer>(mebibytes / 16).fill(piece), gzipSync('</urlset>')]);
}

function index(child: string): string {
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${child}</loc></sitemap></sitemapindex>`;
}

function entries(count: number, origin: string): string {
  const all = Array.from({ length: count }, (_, i) => `<url><loc>${origin}/entry/${i}</loc></url>`);
  return `${SITEMAP}${all.join('')}</urlset>`;
}

function* endless(start: string, more: string): Generator<Buffer> {
  yield head([XML]);
  yield Buffer.from(start);
  yield* repeated(Buffer.from(more.repeat(2000)));
}
