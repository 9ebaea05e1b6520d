import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseArchiveStore } from './archive-store.ts';
import { text } from './scalar-kinds.ts';

/** Texts with a form of their own. Each is refined to the one spelling that the rest of the program compares with. */

export const pattern = text(
  'a URL pattern: a prefix, a glob with `*`, or `re:` and a regular expression',
  (raw) => (raw !== '' && raw !== 're:' && !/\s/.test(raw) ? raw : undefined),
  '<pattern>',
);

export const folder = text('the path of a folder', (raw) => (raw.trim() === '' ? undefined : resolve(raw)), '<folder>');

export const databaseUrl = text(
  'the address of a PostgreSQL database, such as postgres://user@host/database',
  (raw) => (raw === '' || (/^postgres(?:ql)?:\/\/\S+$/.test(raw) && URL.canParse(raw)) ? raw : undefined),
  '<url>',
);

export const archiveStoreUrl = text(
  'a bucket such as s3://bucket/prefix (its name of 3 to 63 letters, digits, dots, hyphens and underscores, with a letter or digit at both ends), with ?endpoint=https://host, &region= and &addressing=path or host where needed, and no secret',
  (raw) => (raw === '' || parseArchiveStore(raw) !== undefined ? raw : undefined),
  '<url>',
);

const INDEX_NAME = /^\/(?![-_+.])[^\s\\/*?"<>|,#:A-Z%]{1,255}\/?$/;

export const remoteIndexUrl = text(
  'the address of an index, such as https://search.example.org:9200/pages: its name in lower case, and no user or password',
  (raw) => {
    const url = /^https?:\/\//i.test(raw) ? URL.parse(raw) : null;
    if (raw === '') return raw;
    if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      return undefined;
    return INDEX_NAME.test(url.pathname) ? `${url.origin}${url.pathname.replace(/\/$/, '')}` : undefined;
  },
  '<url>',
);

export const fileExtension = text(
  'a file name extension such as jpg',
  (raw) => /^\.?([a-z0-9_~+-]{1,16})$/.exec(raw.toLowerCase())?.[1],
  '<extension>',
);

const MEDIA_RANGE = /^[a-z0-9!#$&^_.+*-]+\/[a-z0-9!#$&^_.+*-]+$/;

export const mediaRange = text(
  'a media type such as `text/html`, or `image/*` with a star for anything',
  (raw) => (MEDIA_RANGE.test(raw.toLowerCase()) ? raw.toLowerCase() : undefined),
  '<media-type>',
);

/** A type, all subtypes of one, or everything: what is looked up rather than searched through. */
export const mediaTypeGroup = text(
  'a media type such as `text/html`, or `image/*`, or `*/*`',
  (raw) => {
    const range = raw.toLowerCase();
    return range === '*/*' || (MEDIA_RANGE.test(range) && /^[^*]+\/(\*|[^*]+)$/.test(range)) ? range : undefined;
  },
  '<media-type>',
);

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

export const hostName = text(
  'a host name (an international one in its xn-- form)',
  (raw) => (HOST_NAME.test(raw.toLowerCase()) ? raw.toLowerCase() : undefined),
  '<host>',
);

export const hostAndPort = text(
  'a host name or an IPv4 address, with its port where it is not the default one',
  (raw) => {
    const [, name, port = '1'] = /^([^:]+)(?::(\d{1,5}))?$/.exec(raw.toLowerCase()) ?? [];
    return name !== undefined && HOST_NAME.test(name) && Number(port) <= 65_535 ? raw.toLowerCase() : undefined;
  },
  '<host>',
);

export const ipAddress = text(
  'an IPv4 or IPv6 address',
  (raw) => (isIP(unbracketed(raw)) > 0 ? unbracketed(raw).toLowerCase() : undefined),
  '<address>',
);

/** A host, with its port where it has one. */
function withPort(name: string): string | undefined {
  const parts = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(name);
  if (parts === null || Number(parts[2] ?? 1) > 65_535) return undefined;
  const known = isIP(unbracketed(parts[1])) > 0 || HOST_NAME.test(parts[1].replace(/^\*\./, ''));
  return known ? name : undefined;
}

export const hostOrNetwork = text(
  'a host (`intranet`, `*.corp.example`), an address, either with a port (`localhost:8080`), or a network (`10.0.0.0/8`)',
  (raw) => {
    const name = raw.toLowerCase();
    const network = /^([^/]+)\/(\d{1,3})$/.exec(name);
    if (network !== null) {
      const version = isIP(network[1]);
      const fits = version > 0 && Number(network[2]) <= (version === 4 ? 32 : 128);
      return fits ? `${network[1]}/${Number(network[2])}` : undefined;
    }
    return isIP(name) > 0 ? name : withPort(name);
  },
  '<host|network>',
);

export const hostPattern = text(
  'a host (`example.org`), all below one (`*.example.org`), or an address, either with a port (`localhost:8080`)',
  (raw) => {
    const name = raw.toLowerCase();
    return isIP(name) > 0 ? name : withPort(name);
  },
  '<host>',
);

export const dnsServer = text(
  'the address of a name server, with a port where it is not 53: 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353',
  (raw) => {
    if (isIP(raw) > 0) return raw.toLowerCase();
    const parts = /^(\[[^\]]+\]|[\d.]+)(?::(\d{1,5}))?$/.exec(raw);
    if (parts === null || isIP(unbracketed(parts[1])) === 0 || Number(parts[2] ?? 53) > 65_535) return undefined;
    return raw.toLowerCase();
  },
  '<address>',
);

export const origin = text(
  'an origin such as https://example.org or http://example.org:8080',
  (raw) => {
    const bare = raw.replace(/\/$/, '').toLowerCase();
    if (!/^https?:\/\//.test(bare) || !URL.canParse(bare)) return undefined;
    const parsed = new URL(bare);
    return parsed.username === '' && parsed.pathname === '/' && parsed.search === '' && !/[?#@]/.test(bare)
      ? parsed.origin
      : undefined;
  },
  '<origin>',
);

export const secureOrigin = text(
  'an https origin such as https://bot.example.org',
  (raw) => {
    const url = /^https:\/\/[^?#@]+$/i.test(raw) ? URL.parse(raw) : null;
    return raw === '' ? raw : url?.pathname === '/' ? url.origin : undefined;
  },
  '<origin>',
);

/** Headers that frame the message or name its target; one set by hand would break the exchange or reach another server. */
const FRAMING_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const headerLine = text(
  'a header line such as X-Api-Key: abc (not one that frames the message, such as Host or Content-Length)',
  (raw) => {
    const parts = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e]*)$/.exec(raw);
    return parts === null || FRAMING_HEADERS.has(parts[1].toLowerCase())
      ? undefined
      : `${parts[1]}: ${parts[2]}`.trimEnd();
  },
  '<header>',
);

export const credential = text(
  '`basic USER:PASSWORD` or `bearer TOKEN`',
  (raw) => {
    const parts = /^(basic|bearer)\s+(\S.*)$/i.exec(raw);
    if (parts === null) return undefined;
    const scheme = parts[1].toLowerCase();
    const wellFormed = scheme === 'basic' ? /^[^:]+:/.test(parts[2]) : /^\S+$/.test(parts[2]);
    return wellFormed ? `${scheme} ${parts[2]}` : undefined;
  },
  '<credential>',
);

export const proxyUrl = text(
  'an http or https URL such as http://proxy.example:3128',
  (raw) => (/^https?:\/\//i.test(raw) && URL.canParse(raw) ? raw : undefined),
  '<url>',
);

export const mailAddress = text(
  'a mail address, or nothing',
  (raw) => (raw === '' || /^[^\s@()<>,;]+@[^\s@()<>,;]+$/.test(raw) ? raw : undefined),
  '<mail>',
);

export const contactPoint = text(
  'an http or https URL or a mail address, or nothing',
  (raw) => {
    const url = /^https?:\/\/[\x21-\x7e]+$/i.test(raw) && !/[()]/.test(raw) && URL.canParse(raw);
    return raw === '' || url || /^[^\s@()<>,;]+@[^\s@()<>,;]+$/.test(raw) ? raw : undefined;
  },
  '<url|mail>',
);

export const productToken = text(
  'a product token: letters, `-` and `_` only',
  (raw) => (/^[A-Za-z_-]+$/.test(raw) ? raw : undefined),
  '<token>',
);

export const productTokenOrNone = text(
  'a product token (letters, `-` and `_` only), or nothing',
  (raw) => (/^[A-Za-z_-]*$/.test(raw) ? raw : undefined),
  '<token>',
);

export const headerValue = text(
  'printable ASCII text, or nothing',
  (raw) => (/^[\x20-\x7e]*$/.test(raw) ? raw : undefined),
  '<text>',
);

function unbracketed(address: string): string {
  return address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
}
