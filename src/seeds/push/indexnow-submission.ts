import type { PushRequest } from '../../contracts/push.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { requestTarget } from './push-answer.ts';

/** URLs of one host, and the file that proves that whoever submits them may speak for it. */
export interface IndexNowSubmission {
  readonly host: string;
  readonly key: string;
  readonly keyUrl: string;
  /** Without repeats. */
  readonly urls: readonly CanonicalUrl[];
}

export type SubmissionReading =
  | { readonly kind: 'submission'; readonly submission: IndexNowSubmission }
  | { readonly kind: 'wrong'; readonly status: 400 | 405 | 413 | 422; readonly why: string };

export interface SubmissionLimits {
  readonly maxUrls: number;
  readonly maxBytes: number;
  readonly maxUrlLength: number;
}

interface Fields {
  readonly host: string;
  readonly key: string;
  readonly keyLocation: string | undefined;
  readonly urls: readonly string[];
}

type Wrong = Extract<SubmissionReading, { kind: 'wrong' }>;

/** Reads GET ?url=&key= and POST {host, key, keyLocation, urlList} of indexnow.org. One bad URL refuses all. Never throws. */
export function readSubmission(request: PushRequest, limits: SubmissionLimits, options: UrlOptions): SubmissionReading {
  const fields = fieldsOf(request, limits);
  if ('kind' in fields) return fields;
  if (!/^[a-z0-9-]{8,128}$/i.test(fields.key)) {
    return wrong(422, 'the key must be 8 to 128 letters, digits and dashes');
  }
  const urls = new Set<CanonicalUrl>();
  const paths: string[] = [];
  let secure = false;
  for (const written of fields.urls) {
    const url = written.length <= limits.maxUrlLength ? URL.parse(written) : null;
    const canonical = url === null ? undefined : normalizeUrl(url.href, options);
    if (url === null || canonical === undefined) return wrong(400, `not an http or https URL: ${shown(written)}`);
    if (hostOf(url) !== fields.host) return wrong(422, `not a URL of ${fields.host}: ${shown(written)}`);
    secure ||= url.protocol === 'https:';
    paths.push(url.pathname);
    urls.add(canonical);
  }
  const standard = `${secure ? 'https' : 'http'}://${fields.host}/${fields.key}.txt`;
  const keyUrl = URL.parse(fields.keyLocation ?? standard);
  if (keyUrl === null || !isWeb(keyUrl)) return wrong(400, 'keyLocation is not an http or https URL');
  if (hostOf(keyUrl) !== fields.host) return wrong(422, `keyLocation is not on ${fields.host}`);
  // A key speaks for the folder in which it lies.
  const folder = keyUrl.pathname.slice(0, keyUrl.pathname.lastIndexOf('/') + 1);
  const outside = paths.findIndex((path) => !path.startsWith(folder));
  if (outside !== -1) return wrong(422, `not below ${shown(folder)}: ${shown(fields.urls[outside])}`);
  keyUrl.hash = '';
  return {
    kind: 'submission',
    submission: { host: fields.host, key: fields.key, keyUrl: keyUrl.href, urls: [...urls] },
  };
}

function fieldsOf(request: PushRequest, limits: SubmissionLimits): Fields | Wrong {
  if (request.method === 'GET') return fieldsOfQuery(request);
  if (request.method !== 'POST') return wrong(405, 'GET or POST');
  if (request.body.length > limits.maxBytes) return wrong(413, `more than ${limits.maxBytes} bytes`);
  let sent: unknown;
  try {
    sent = JSON.parse(new TextDecoder().decode(request.body));
  } catch {
    return wrong(400, 'the body is not JSON');
  }
  if (typeof sent !== 'object' || sent === null) return wrong(400, 'the body is not a JSON object');
  const { host, key, keyLocation, urlList } = sent as Record<string, unknown>;
  if (typeof host !== 'string' || typeof key !== 'string') return wrong(400, 'host and key are required');
  if (keyLocation !== undefined && keyLocation !== null && typeof keyLocation !== 'string') {
    return wrong(400, 'keyLocation is not a text');
  }
  if (!Array.isArray(urlList) || urlList.length === 0) return wrong(400, 'urlList has no URLs');
  if (urlList.length > limits.maxUrls) return wrong(422, `more than ${limits.maxUrls} URLs`);
  if (!urlList.every((url) => typeof url === 'string')) return wrong(400, 'urlList holds something that is no text');
  // The host alone, as written in a URL; anything more than that would come out differently.
  const parsed = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}/`);
  if (parsed === null) return wrong(400, 'host is not a host name');
  return { host: hostOf(parsed), key, keyLocation: keyLocation || undefined, urls: urlList };
}

function fieldsOfQuery(request: PushRequest): Fields | Wrong {
  const query = requestTarget(request)?.query;
  const written = query?.get('url');
  const key = query?.get('key');
  if (!written || !key) return wrong(400, 'url and key are required');
  const url = URL.parse(written);
  if (url === null || !isWeb(url)) return wrong(400, `not an http or https URL: ${shown(written)}`);
  return { host: hostOf(url), key, keyLocation: query?.get('keyLocation') || undefined, urls: [written] };
}

/** Host and port; the default ports of both schemes count as none. */
function hostOf(url: URL): string {
  return url.port === '' || url.port === '80' || url.port === '443' ? url.hostname : url.host;
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

function wrong(status: Wrong['status'], why: string): Wrong {
  return { kind: 'wrong', status, why };
}

function shown(text: string): string {
  return JSON.stringify(text.length <= 200 ? text : `${text.slice(0, 200)}…`);
}
