import type { BodySigns } from '../../contracts/content/body-signs.ts';
import type { Validators } from '../../contracts/crawl-task.ts';
import type { FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import type { EarlierVisit } from '../../contracts/revisit.ts';

/** A smaller body is hardly worth a request that may have to be followed by another. */
const LEAST_BYTES = 16 * 1024;
/** What a body is, and what its server says of its use. */
const FIELDS = ['content-type', 'content-encoding', 'content-language', 'x-robots-tag'];
/** The newest first. All of them are of the body with its content coding. */
const DIGESTS = ['repr-digest', 'content-digest', 'digest', 'content-md5'];
const LONGEST_TEXT = 500;

/** What a later HEAD can be compared with; undefined where the server gives validators, or where HEAD would spare little. */
export function signsOf({ head, raw, truncated }: Extract<FetchResult, { kind: 'response' }>): BodySigns | undefined {
  if (hasValidators(head) || truncated !== undefined || raw.byteLength < LEAST_BYTES) return undefined;
  const fields = fieldsOf(head);
  const digest = digestOf(head);
  if (fields.length > LONGEST_TEXT || (digest === undefined && lengthOf(head) !== raw.byteLength)) return undefined;
  return { fields, length: raw.byteLength, ...(digest === undefined ? {} : { digest }) };
}

/** For the next request; none of a body that broke off, or the rest of it would never come. */
export function validatorsOf(result: Extract<FetchResult, { kind: 'response' }>): Validators {
  if (isBrokenOff(result)) return {};
  const etag = result.head.header('etag');
  const lastModified = result.head.header('last-modified');
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

/** By what the answer to a HEAD shows that the body is the one before. Whatever else it says shows nothing. */
export function sameByHead(before: BodySigns, head: ResponseHead): 'digest' | 'length' | undefined {
  if (head.status !== 200 || hasValidators(head) || fieldsOf(head) !== before.fields) return undefined;
  const digest = digestOf(head);
  if (digest !== before.digest) return undefined;
  if (digest !== undefined) return 'digest';
  return lengthOf(head) === before.length ? 'length' : undefined;
}

/** Whether a HEAD would have shown no difference between two bodies. */
export function sameSigns(before: BodySigns, after: BodySigns | undefined): boolean {
  if (after === undefined || before.fields !== after.fields || before.digest !== after.digest) return false;
  return before.digest !== undefined || before.length === after.length;
}

/** The body ended on its way. One that was cut at our own limit is as long as it will ever be. */
export function isBrokenOff(visit: { readonly truncated?: string } | undefined): boolean {
  return visit?.truncated !== undefined && visit.truncated !== 'length';
}

/** What the next whole copy is compared with. */
export function wholeTextOf(earlier: EarlierVisit | undefined): { wholeTextDigest?: string } {
  const digest = isBrokenOff(earlier) ? earlier?.wholeTextDigest : earlier?.textDigest;
  return digest === undefined ? {} : { wholeTextDigest: digest };
}

function hasValidators(head: ResponseHead): boolean {
  return head.header('etag') !== undefined || head.header('last-modified') !== undefined;
}

function fieldsOf(head: ResponseHead): string {
  return FIELDS.map((name) => head.header(name) ?? '').join('\n');
}

function digestOf(head: ResponseHead): string | undefined {
  for (const name of DIGESTS) {
    const value = head.header(name);
    if (value !== undefined && value !== '' && value.length <= LONGEST_TEXT) return `${name}: ${value}`;
  }
  return undefined;
}

function lengthOf(head: ResponseHead): number | undefined {
  const value = head.header('content-length');
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
