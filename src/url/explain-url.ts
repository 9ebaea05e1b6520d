import type { CanonicalUrl } from '../contracts/url.ts';
import { canonicalForm, parse, withAssumedScheme } from './canonical-form.ts';
import type { UrlOptions } from './url-options.ts';
import { type WrittenUrl, withoutIgnoredSpace, writtenUrl } from './written-url.ts';

/** Why an address is refused: 'relative' (no base), 'scheme' (not http(s)), 'host', 'port'. No other part is beyond repair. */
export type UrlRefusal = 'relative' | 'scheme' | 'host' | 'port';

export type UrlExplanation =
  | { readonly ok: true; readonly url: CanonicalUrl; readonly steps: readonly string[] }
  | { readonly ok: false; readonly reason: UrlRefusal };

/** As `normalizeUrl`, with the steps that changed something. No steps and no base: the address was canonical as written. */
export function explainUrl(input: string, options: UrlOptions, base?: string): UrlExplanation {
  const parsed = parse(input, options, base);
  const laterSteps: string[] = [];
  const url = canonicalForm(input, options, base, (step) => laterSteps.push(step));
  if (parsed === null || url === undefined) return { ok: false, reason: refusalOf(input, parsed, base) };
  const steps = [...stepsOfParsing(input, parsed, options, base), ...laterSteps];
  if (steps.length === 0 && url !== input) steps.push('read as browsers do');
  return { ok: true, url: url as CanonicalUrl, steps: url === input ? [] : steps };
}

function refusalOf(input: string, parsed: URL | null, base: string | undefined): UrlRefusal {
  if (parsed !== null) return 'scheme';
  const written = writtenUrl(withoutIgnoredSpace(input));
  const against = base === undefined ? null : URL.parse(base);
  if (written.scheme === undefined && against === null) return 'relative';
  const scheme = written.scheme ?? against?.protocol.slice(0, -1) ?? '';
  if (!/^https?$/i.test(scheme)) return 'scheme';
  return /^:\d*$|^$/.test(written.port) && Number(written.port.slice(1)) <= 65535 ? 'host' : 'port';
}

/** What the platform's parser did, told by comparing its answer with what was written. */
function stepsOfParsing(input: string, parsed: URL, options: UrlOptions, base: string | undefined): string[] {
  const steps: string[] = [];
  const completed = base === undefined && options.assumeHttp ? withAssumedScheme(input) : input;
  if (completed !== input) steps.push('http assumed');
  const text = withoutIgnoredSpace(completed);
  if (text !== completed) steps.push('white space removed');
  const written = writtenUrl(text);
  if (written.scheme === undefined) steps.push('resolved against the base');
  else if (written.scheme !== written.scheme.toLowerCase()) steps.push('lower-case scheme');
  if (/\\/.test(written.slashes + written.path)) steps.push('backslashes turned into slashes');
  if (written.host !== undefined) {
    if (!/^[/\\]{2}$/.test(written.slashes)) steps.push('slashes before the host mended');
    steps.push(...stepsOfHost(written, written.host, parsed));
    if (written.path === '') steps.push('empty path became "/"');
  }
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i.test(written.path)) steps.push('dot segments resolved');
  if (/[^\x21-\x7e]|["<>^`{}]/.test(written.path)) steps.push('characters of path escaped');
  if (written.query === '?') steps.push('empty query removed');
  else if (written.query !== '' && written.query !== parsed.search) steps.push('characters of query escaped');
  if (written.fragment) steps.push('fragment removed');
  return steps;
}

function stepsOfHost(written: WrittenUrl, host: string, parsed: URL): string[] {
  const steps: string[] = [];
  if (written.credentials) steps.push('credentials removed');
  if (host !== parsed.hostname) {
    if (host.toLowerCase() === parsed.hostname) steps.push('lower-case host');
    else if (/^\[|^[\d.]+$/.test(parsed.hostname)) steps.push('address in its usual notation');
    else steps.push('host in ASCII (IDNA)');
  }
  if (written.port === ':') steps.push('empty port removed');
  else if (written.port !== '' && parsed.port === '') steps.push('default port removed');
  else if (written.port !== '' && written.port !== `:${parsed.port}`) steps.push('leading zeros of port removed');
  return steps;
}
