/** Where archive files are shipped to: a bucket of a store that speaks the protocol of S3. Holds no secret. */
export interface ArchiveStoreAddress {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
  /** Empty: that of Amazon in the region. */
  readonly endpoint: string;
  /** Empty: that of the environment. */
  readonly region: string;
  /** Whether the bucket is part of the path or of the host name. */
  readonly addressing: 'path' | 'host';
}

const PARTS = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])((?:\/[A-Za-z0-9._~-]+)*)\/?(?:\?(.*))?$/;
const PARAMETERS = new Set(['endpoint', 'region', 'addressing']);

/** Reads `s3://bucket/prefix?endpoint=…&region=…&addressing=path`; undefined where it is none. */
export function parseArchiveStore(text: string): ArchiveStoreAddress | undefined {
  const [, bucket, path, query = ''] = PARTS.exec(text) ?? [];
  if (bucket === undefined || path.split('/').some((part) => /^\.{1,2}$/.test(part))) return undefined;
  const given = new URLSearchParams(query);
  const names = [...given.keys()];
  // What is given twice would be looked at once, and written down as a whole.
  if (!names.every((name) => PARAMETERS.has(name)) || new Set(names).size < names.length) return undefined;
  const endpoint = originOf(given.get('endpoint') ?? '');
  const region = given.get('region') ?? '';
  const addressing = given.get('addressing') ?? (endpoint === '' && !bucket.includes('.') ? 'host' : 'path');
  if (endpoint === undefined || !/^[a-z0-9-]*$/.test(region)) return undefined;
  if (addressing !== 'path' && addressing !== 'host') return undefined;
  return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/`, endpoint, region, addressing };
}

/** Undefined where it is more than an origin: a user and a password in it would be written down. */
function originOf(text: string): string | undefined {
  if (text === '') return '';
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (url === null || url.username !== '' || url.pathname !== '/' || /[?#@]/.test(text)) return undefined;
  return url.origin;
}
