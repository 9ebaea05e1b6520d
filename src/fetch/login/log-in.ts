import type { Fetcher, FetchRequest, FetchResult } from '../../contracts/fetcher.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { findForm } from './login-form.ts';
import type { LoginRecipe } from './login-recipe.ts';
import { pageText } from './page-text.ts';

/** A page as a login meets it, after redirects. */
export interface LoginPage {
  readonly url: string;
  readonly status: number;
  readonly html: string;
  /** Everything that was asked for on the way, the page itself last. */
  readonly hops: readonly LoginHop[];
}

export interface LoginHop {
  readonly url: string;
  readonly status: number;
  /** Names of the cookies that the answer sets. */
  readonly cookies: readonly string[];
}

/** What became of a login. `why` says what went wrong, never with a value; absent where it went well. */
export interface LoginAttempt {
  readonly why?: string;
  /** What followed the form. */
  readonly answer?: LoginPage;
}

type Response = Extract<FetchResult, { kind: 'response' }>;

const MOST_REDIRECTS = 5;

/** Fetches the page, fills in its form, sends it, and says whether that was a login. `web` keeps the cookies. */
export async function logIn(web: Fetcher, recipe: LoginRecipe): Promise<LoginAttempt> {
  const { site, page, action, fields, success } = recipe;
  const shown = await fetchPage(web, { url: page as CanonicalUrl });
  if (typeof shown === 'string') return { why: `the login page cannot be had: ${shown}` };
  const form = findForm(shown.html, Object.keys(fields), shown.url, action);
  if (form === undefined) return { why: 'the login page has no form with the fields of the recipe' };
  const filled = new URLSearchParams([...new Map([...form.fields, ...Object.entries(fields)])]).toString();
  const url = form.method === 'get' ? `${form.action.split('?', 1)[0]}?${filled}` : form.action;
  // The page that was shown, too: a redirect may have led to TLS.
  if (new URL(url).protocol === 'http:' && [page, shown.url].some((own) => own.startsWith('https:')))
    return { why: 'the form would be sent without TLS' };
  if (![site, page].some((own) => isSameSite(own, url)))
    return { why: `the form would be sent to ${new URL(url).origin}, which the recipe does not name` };
  const sent = { url: url as CanonicalUrl, ...(form.method === 'get' ? {} : { form: filled }) };
  const answer = await fetchPage(web, sent);
  if (typeof answer === 'string') return { why: `the form was not taken: ${answer}` };
  const why = whyNot(answer, recipe, success);
  return why === undefined ? { answer } : { answer, why };
}

function whyNot({ html, status, url }: LoginPage, recipe: LoginRecipe, success?: string): string | undefined {
  if (success !== undefined)
    return html.includes(success) ? undefined : `"${success}" is not on the page that follows (HTTP ${status})`;
  if (status >= 400) return `HTTP ${status} follows`;
  const isShownAgain = findForm(html, Object.keys(recipe.fields), url, recipe.action) !== undefined;
  return isShownAgain ? 'the form is shown again: user or password may be wrong' : undefined;
}

/** Through redirects, which become GET; what is wrong as a text. `mayAsk`: called before a redirect is followed. */
export async function fetchPage(
  web: Fetcher,
  first: FetchRequest,
  mayAsk?: (url: CanonicalUrl) => Promise<void>,
): Promise<LoginPage | string> {
  let request = first;
  const hops: LoginHop[] = [];
  while (hops.length <= MOST_REDIRECTS) {
    const result = await web.fetch(request);
    if (result.kind !== 'response') return whyNone(result);
    const { status } = result.head;
    // What a form was sent with may stand in its address.
    hops.push({ url: request.url.split('?', 1)[0], status, cookies: cookiesOf(result) });
    const to = status >= 300 && status < 400 ? result.head.header('location') : undefined;
    if (to === undefined) return { url: request.url, status, html: pageText(result), hops };
    const next = URL.parse(to, request.url);
    if (next === null || !/^https?:$/.test(next.protocol)) return 'a redirect that leads nowhere';
    next.hash = '';
    request = { url: next.href as CanonicalUrl };
    await mayAsk?.(request.url);
  }
  return `more than ${MOST_REDIRECTS} redirects`;
}

function whyNone(result: Exclude<FetchResult, Response>): string {
  if (result.kind === 'failed') return result.code;
  return result.kind === 'refused' ? `refused (${result.rule})` : 'refused';
}

/** The same origin, or the same host with TLS instead of without. */
function isSameSite(own: string, url: string): boolean {
  const [named, target] = [new URL(own), new URL(url)];
  if (named.origin === target.origin) return true;
  return named.hostname === target.hostname && named.port === '' && target.port === '' && target.protocol === 'https:';
}

/** The session is over: the server says so, sends to the login page, or shows the sign. */
export function isOver(result: FetchResult, recipe: Pick<LoginRecipe, 'page' | 'expired'>): boolean {
  return signOfEnd(result, recipe) !== undefined;
}

/** By which of its signs an answer says that the session is over. */
export function signOfEnd(
  result: FetchResult,
  { page, expired }: Pick<LoginRecipe, 'page' | 'expired'>,
): 'status' | 'redirect' | 'text' | undefined {
  if (result.kind !== 'response' && result.kind !== 'unwanted') return undefined;
  const { status } = result.head;
  if (status === 401) return 'status';
  const to = status >= 300 && status < 400 ? result.head.header('location') : undefined;
  if (to !== undefined && result.kind === 'response') {
    const target = URL.parse(to, page);
    const login = new URL(page);
    const isLogin = target !== null && target.origin === login.origin && target.pathname === login.pathname;
    return isLogin ? 'redirect' : undefined;
  }
  return expired !== undefined && result.kind === 'response' && pageText(result).includes(expired) ? 'text' : undefined;
}

function cookiesOf({ head }: Response): string[] {
  const set = head.rawHeaders.filter((_, at) => at % 2 === 1 && /^set-cookie$/i.test(head.rawHeaders[at - 1]));
  // A cookie without a name is all value.
  return set.map((line) => (/^\s*[^;=\s]+\s*=/.test(line) ? line.split('=', 1)[0].trim() : '(without a name)'));
}
