import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { robotsAgentOf } from '../../../base/robots-names.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { FetchResult } from '../../../contracts/fetcher.ts';
import type { CanonicalUrl } from '../../../contracts/url.ts';
import { SubResourceRobots } from '../../../crawl/rendering/sub-resource-robots.ts';
import { urlOptionsOf } from '../../../crawl/settings-to-parts.ts';
import { type Network, openNetwork } from '../../../crawl/visit/open-network.ts';
import { fetchPage, type LoginPage, logIn, signOfEnd } from '../../../fetch/login/log-in.ts';
import { asksForSecondFactor, findForm, type PasswordForm, passwordForms } from '../../../fetch/login/login-form.ts';
import type { LoginRecipe } from '../../../fetch/login/login-recipe.ts';
import { expiredSign, showsCaptcha, successSign } from '../../../fetch/login/login-signs.ts';
import { pageText } from '../../../fetch/login/page-text.ts';
import { completeSeed } from '../../../seeds/seed-text.ts';
import { explainUrl } from '../../../url/explain-url.ts';
import { settingsOf } from '../../arguments/setting-options.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { writeText } from '../../output/write-text.ts';
import { chosenForm, type FilledField, filledFields, formLine } from './login-answers.ts';
import type { LoginFlags } from './login-flags.ts';
import { placeFor, recipeText, settingsWith, type WrittenRecipe, writeRecorded } from './recorded-login.ts';

const BROWSER_REMEDY = 'Log in with a browser instead: --in-browser keeps its cookies for the crawl.';
/** What is never asked for is matched by nothing. */
const NOTHING = /(?!)/;

/** Logs in as a crawl would, and writes down how. */
export async function runLogin(command: Command, asked: string, flags: LoginFlags, version: string): Promise<void> {
  const { settings } = await settingsOf(command, flags.dir);
  const url = urlOf(asked, settings);
  if (flags.inBrowser === true) {
    const { runBrowserLogin } = await import('./browser-login.ts');
    return await runBrowserLogin(url, flags, settings);
  }
  // Sessions that the settings know already would hide the form.
  const alone = { ...settings, login: [], cookieFiles: [] };
  await using member = openNetwork({ ...alone, cookies: true }, version);
  await using stranger = openNetwork({ ...alone, cookies: false }, version);
  await new Recording({ member, stranger, settings, flags }).run(url);
}

interface RecordingParts {
  /** Keeps the session. */
  readonly member: Network;
  /** Has none. */
  readonly stranger: Network;
  readonly settings: Settings;
  readonly flags: LoginFlags;
}

class Recording {
  readonly #parts: RecordingParts;
  readonly #robots: SubResourceRobots;

  constructor(parts: RecordingParts) {
    this.#parts = parts;
    const { robotsMaxAge: maxAgeMs } = parts.settings;
    const agent = robotsAgentOf(parts.settings);
    const unread = { robots: async () => undefined };
    this.#robots = new SubResourceRobots(parts.stranger.fetcher, unread, systemClock, { agent, maxAgeMs });
  }

  async run(url: CanonicalUrl): Promise<void> {
    const { flags } = this.#parts;
    const page = await this.#page(url);
    const forms = passwordForms(page.html, page.url);
    if (forms.length === 0) throw noForm(page);
    const form = await chosenForm(forms, flags);
    tell(`Form: ${formLine(form)}`);
    const site = new URL(url).origin;
    const fields = await filledFields(form, site, flags);
    const recipe = this.#recipe(url, page, form, fields);
    const answer = await this.#send(recipe, page);
    const secrets = secretsOf(fields);
    const check = await this.#checkPage(answer, recipe);
    const success = successSign(answer.html, [page.html, check?.stranger ?? ''], secrets);
    const expired = check === undefined ? undefined : this.#expired(check, recipe, secrets);
    const { avoid: _, fields: __, ...said } = recipe;
    const written = {
      ...{ ...said, fields: Object.fromEntries(fields.map((field) => [field.name, field.written])) },
      ...(said.site === new URL(said.page).origin ? { site: undefined } : {}),
      ...(success === undefined ? {} : { success }),
      ...(expired === undefined ? {} : { expired }),
    };
    await this.#write(written as WrittenRecipe, site, fields);
  }

  async #page(url: CanonicalUrl): Promise<LoginPage> {
    await this.#mayAsk(url);
    const page = await fetchPage(this.#parts.member.fetcher, { url }, (next) => this.#mayAsk(next));
    if (typeof page === 'string')
      throw new OrbweaverError('LOGIN_FAILED', `The login page ${url} cannot be had: ${page}.`, {
        remedy: page.startsWith('refused')
          ? 'Addresses that are not public need --allow-private or --allow-hosts.'
          : 'Look at the address, and at whether it opens in a browser.',
      });
    tell(`Login page: ${hopsOf(page)}`);
    return page;
  }

  async #mayAsk(url: CanonicalUrl): Promise<void> {
    if (!this.#parts.settings.robots || (await this.#robots.allows(url))) return;
    throw new OrbweaverError('LOGIN_FAILED', `robots.txt forbids ${url}, or cannot be had.`, {
      remedy: 'Where the site is your own, or its owner lets you: --no-robots. Else ask for another way in.',
    });
  }

  /** What a crawl would be told, with the values. */
  #recipe(url: CanonicalUrl, page: LoginPage, form: PasswordForm, fields: readonly FilledField[]): LoginRecipe {
    const names = fields.map(({ name }) => name);
    const site = new URL(url).origin;
    // Elsewhere the address may be good for one login only: a crawl begins where the user did.
    const at = new URL(page.url).origin === site ? page.url : url;
    const isFirst = sameForm(findForm(page.html, names, page.url), form);
    const { origin, pathname } = new URL(form.action);
    const action = isFirst ? {} : { action: origin + pathname };
    if (!isFirst && !sameForm(findForm(page.html, names, page.url, action.action), form))
      throw new OrbweaverError(
        'LOGIN_FAILED',
        'A recipe could not tell this form from another of the page, which has the same fields and address.',
        {
          remedy: BROWSER_REMEDY,
        },
      );
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    return { site, page: at, ...action, fields: values, avoid: NOTHING };
  }

  async #send(recipe: LoginRecipe, page: LoginPage): Promise<LoginPage> {
    const { answer, why } = await logIn(this.#parts.member.fetcher, recipe);
    if (answer !== undefined) tell(`Sent: ${hopsOf(answer)}`);
    const html = answer?.html ?? '';
    if (asksForSecondFactor(html))
      throw new OrbweaverError(
        'LOGIN_FAILED',
        'The site seems to ask for a second factor, which a recipe cannot give.',
        {
          remedy: BROWSER_REMEDY,
        },
      );
    if (why !== undefined || answer === undefined) {
      const captcha = showsCaptcha(page.html) || showsCaptcha(html);
      throw new OrbweaverError(
        'LOGIN_FAILED',
        `The login did not go well: ${why}${captcha ? '; the page seems to ask for a captcha' : ''}. Nothing was written.`,
        {
          remedy: captcha
            ? BROWSER_REMEDY
            : answer === undefined
              ? `The form was not sent, or not answered. Name the page of the login itself, on the host that takes it. ${BROWSER_REMEDY}`
              : 'Look at user name and password, and at other fields of the form (--field). After a few wrong tries some sites lock an account.',
        },
      );
    }
    const cookies = [...new Set(answer.hops.flatMap((hop) => hop.cookies))];
    tell(
      `The form is not shown again: logged in. Cookies: ${cookies.length === 0 ? 'none' : cookies.map(terminalText).join(', ')}`,
    );
    if (cookies.length === 0)
      tell('Without a cookie a site rarely keeps a session: look whether private pages can be had.');
    return answer;
  }

  /** A page within and without the session. */
  async #checkPage(answer: LoginPage, recipe: LoginRecipe): Promise<CheckedPage | undefined> {
    const { flags, settings, member, stranger } = this.#parts;
    const named = flags.check === undefined ? undefined : urlOf(flags.check, settings);
    const url = named ?? (answer.url as CanonicalUrl);
    // A form that is sent with GET shows what was filled in, and would log in whoever asks for its address.
    const sent = new Set(Object.values(recipe.fields));
    if (named === undefined && [...new URL(url).searchParams.values()].some((value) => sent.has(value))) {
      tell(
        'The page that followed has an address of its own for each user: name one that needs the login with --check.',
      );
      return undefined;
    }
    if (new URL(url).origin !== recipe.site) {
      tell(`${shownUrl(url)} is no page of ${recipe.site}: name one that needs the login with --check.`);
      return undefined;
    }
    await this.#mayAsk(url);
    const within = await member.fetcher.fetch({ url });
    const without = await stranger.fetcher.fetch({ url });
    return { url, within, without, stranger: htmlOf(without), member: htmlOf(within) };
  }

  /** By what the end of a session is seen; a text where the recipe needs one. */
  #expired(check: CheckedPage, recipe: LoginRecipe, secrets: readonly string[]): string | undefined {
    const { url, within, without } = check;
    const page = shownUrl(url);
    if (signOfEnd(within, recipe) !== undefined)
      throw new OrbweaverError(
        'LOGIN_FAILED',
        `${page} is refused although the login went well. Nothing was written.`,
        {
          remedy: 'Name a page that this user may see with --check.',
        },
      );
    const sign = signOfEnd(without, recipe);
    if (sign !== undefined) {
      tell(
        `The end of a session is seen by ${sign === 'status' ? 'the answer 401' : 'the redirect to the login page'} (${page}).`,
      );
      return undefined;
    }
    const text = check.stranger === check.member ? undefined : expiredSign(check.stranger, check.member, url, secrets);
    if (text !== undefined && signOfEnd(without, { ...recipe, expired: text }) === 'text') {
      tell(`The end of a session is seen by the text ${JSON.stringify(terminalText(text))} (${page}).`);
      return text;
    }
    tell(
      `${page} looks alike with and without the login, or tells nothing of it: a crawl would not notice the end of a session there.\n` +
        'Name a page that needs the login with --check, or write "expired: TEXT" into the recipe.',
    );
    return undefined;
  }

  async #write(written: WrittenRecipe, site: string, fields: readonly FilledField[]): Promise<void> {
    const { dir, print } = this.#parts.flags;
    const file = placeFor('login', site, dir);
    const text = recipeText(written, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    writeText(text);
    const variables = fields.flatMap(({ variable }) => variable ?? []);
    if (print !== true) tell(writeRecorded(dir, file, text, await settingsWith(dir, 'login', file)).trimEnd());
    if (variables.length > 0) tell(`Before a crawl: ${variables.map((name) => `export ${name}=…`).join('; ')}`);
    if (print !== true) tell(`Then: orbweaver crawl ${shellWord(`${site}/`)} --dir ${shellWord(dir)}`);
  }
}

interface CheckedPage {
  readonly url: CanonicalUrl;
  readonly within: FetchResult;
  readonly without: FetchResult;
  readonly stranger: string;
  readonly member: string;
}

/** What must stand in no sign: everything that was filled in, but for a character or two. */
function secretsOf(fields: readonly FilledField[]): string[] {
  return fields.map(({ value }) => value).filter((value) => value.length > 2);
}

function sameForm(found: ReturnType<typeof findForm>, form: PasswordForm): boolean {
  const { action, method, fields } = form;
  return found !== undefined && found.action === action && found.method === method && found.fields.size === fields.size;
}

function noForm({ url, html, status }: LoginPage): OrbweaverError {
  const isScripted = /<script\b|<input\b[^>]{0,1000}\bpassword\b/i.test(html);
  const why = status >= 400 ? `: HTTP ${status}` : isScripted ? '; scripts may build it' : '';
  return new OrbweaverError('LOGIN_FAILED', `${url} has no form that asks for a password${why}.`, {
    remedy: isScripted || status >= 400 ? BROWSER_REMEDY : 'Name the page on which the form stands.',
  });
}

function htmlOf(result: FetchResult): string {
  return result.kind === 'response' ? pageText(result) : '';
}

/** Addresses and answers; of queries, which may hold what was sent, nothing. */
function hopsOf({ hops }: LoginPage): string {
  return hops.map(({ url, status }) => `${shownUrl(url)} (HTTP ${status})`).join(' -> ');
}

/** Without its query, which may hold a session. */
function shownUrl(url: string): string {
  return terminalText(url.split('?', 1)[0]);
}

function urlOf(asked: string, settings: Settings): CanonicalUrl {
  const completed = completeSeed(asked.trim());
  const explained = 'wrong' in completed ? undefined : explainUrl(completed.url, urlOptionsOf(settings));
  if (explained?.ok) return explained.url;
  const shown = JSON.stringify(asked.replace(/\/\/[^/?#]*@/, '//'));
  throw new OrbweaverError('INPUT_INVALID', `${shown} cannot be asked for.`, {
    remedy: 'Write it as https://example.org/login, without user and password.',
  });
}

/** Beside the recipe itself, which goes to standard output. */
function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
