/** A form of a page, as it would be sent. */
export interface LoginForm {
  readonly action: string;
  readonly method: 'get' | 'post';
  /** Values that the page gives, hidden ones among them. */
  readonly fields: ReadonlyMap<string, string>;
}

/** A form that asks for a password. */
export interface PasswordForm extends LoginForm {
  /** Names of its password fields, in order; a login has one, a registration often two. */
  readonly passwords: readonly string[];
  /** The field for the user name, where one is to be seen. */
  readonly user?: string;
  /** Other fields that a person would fill in. */
  readonly others: readonly string[];
  /** Its address as the page writes it. */
  readonly writtenAction: string;
}

interface ReadForm {
  readonly attributes: ReadonlyMap<string, string>;
  readonly inputs: readonly ReadInput[];
}

interface BaseUrls {
  readonly page: string;
  readonly base: string;
}

interface ReadInput {
  readonly tag: string;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly autocomplete: string;
  readonly checked: boolean;
}

// Bounded, so that no page costs more than its length.
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<(form|\/form|input|button)(?=[\s/>])/gi;
/** Of the attributes of one tag; longer ones are no part of a login. */
const LONGEST_TAG = 4000;
const BASE = /<base\b([^>]{0,4000})>/i;
const ATTRIBUTE = /(?<![^\s/"'])([^\s=/>"']{1,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g;
/** A form has a few fields; a page of millions is no login. */
const LONGEST = 2_000_000;

/** What a person types into. */
const TYPED = new Set(['text', 'email', 'tel', 'number', 'search', 'url']);

/**
 * The first form that has all of the fields; else the first that has the last of them, which is the password in most recipes. `action`:
 * only forms that are sent there.
 */
export function findForm(
  html: string,
  names: readonly string[],
  pageUrl: string,
  action?: string,
): LoginForm | undefined {
  const base = baseOf(html, pageUrl);
  const isMeant = (form: ReadForm): boolean => action === undefined || isSentTo(form, action, base);
  const forms = formsOf(html).filter(isMeant);
  const has = (form: ReadForm, name: string): boolean => form.inputs.some((input) => input.name === name);
  const found =
    forms.find((form) => names.every((name) => has(form, name))) ?? forms.find((form) => has(form, names.at(-1) ?? ''));
  return found === undefined ? undefined : asSent(found, base);
}

/** All forms of a page that ask for a password and could be sent. */
export function passwordForms(html: string, pageUrl: string): PasswordForm[] {
  const base = baseOf(html, pageUrl);
  return formsOf(html).flatMap((form) => {
    const sent = asSent(form, base);
    const passwords = form.inputs.filter(({ type, name }) => type === 'password' && name !== '');
    if (sent === undefined || passwords.length === 0) return [];
    const typed = form.inputs.filter(({ tag, type, name }) => tag === 'input' && TYPED.has(type) && name !== '');
    const before = typed.filter((input) => form.inputs.indexOf(input) < form.inputs.indexOf(passwords[0]));
    const user = typed.find(({ autocomplete }) => /\busername\b/.test(autocomplete)) ?? before.at(-1) ?? typed.at(0);
    return [
      {
        ...sent,
        passwords: passwords.map(({ name }) => name),
        ...(user === undefined ? {} : { user: user.name }),
        others: typed.filter((input) => input !== user && input.value === '').map(({ name }) => name),
        writtenAction: form.attributes.get('action') ?? '',
      },
    ];
  });
}

/** Whether a page asks for a number from elsewhere: a message, a device. */
export function asksForSecondFactor(html: string): boolean {
  return formsOf(html).some(({ inputs }) =>
    inputs.some(({ name, autocomplete }) => /one-time-code/.test(autocomplete) || SECOND_FACTOR.test(name)),
  );
}

const SECOND_FACTOR = /(?:^|[^a-z])(?:t?otp|mfa|2fa|twofactor|two_factor|verification_?code|auth_?code)(?:$|[^a-z])/i;

function formsOf(html: string): ReadForm[] {
  const shown = html.slice(0, LONGEST).replaceAll(COMMENT, '');
  const forms: { attributes: ReadonlyMap<string, string>; inputs: ReadInput[] }[] = [];
  let open: (typeof forms)[number] | undefined;
  let end = 0;
  for (const { 0: begin, 1: name, index } of shown.matchAll(TAG)) {
    // Within the attributes of the tag before.
    if (index < end) continue;
    const tag = name.toLowerCase();
    const text = attributeText(shown, index + begin.length);
    end = index + begin.length + (text?.length ?? LONGEST_TAG);
    if (text === undefined) continue;
    if (tag === '/form') open = undefined;
    else if (tag !== 'form') open?.inputs.push({ tag, ...inputOf(text) });
    // A form within a form counts as part of it.
    else if (open === undefined) {
      open = { attributes: attributesOf(text), inputs: [] };
      forms.push(open);
    }
  }
  return forms;
}

/** From there to the end of the tag, which is no > within quotes; undefined where it is too far away. */
function attributeText(html: string, from: number): string | undefined {
  const text = html.slice(from, from + LONGEST_TAG);
  const quotedOrEnd = /=\s{0,20}(?:"[^"]*"|'[^']*')|>/g;
  for (const { 0: found, index } of text.matchAll(quotedOrEnd)) if (found === '>') return text.slice(0, index);
  return undefined;
}

/** What addresses of the page count from. */
function baseOf(html: string, pageUrl: string): BaseUrls {
  const href = attributesOf(BASE.exec(html.slice(0, LONGEST))?.[1] ?? '').get('href');
  return { page: pageUrl, base: URL.parse(href ?? '', pageUrl)?.href ?? pageUrl };
}

/** A form without an address goes to the page itself, whatever its base is. */
function actionOf({ attributes }: Pick<ReadForm, 'attributes'>, { page, base }: BaseUrls): URL | null {
  const written = attributes.get('action')?.trim() ?? '';
  return written === '' ? URL.parse(page) : URL.parse(written, base);
}

function asSent({ attributes, inputs }: ReadForm, urls: BaseUrls): LoginForm | undefined {
  const action = actionOf({ attributes }, urls);
  if (action === null || !/^https?:$/.test(action.protocol)) return undefined;
  const sent = inputs.filter(({ tag, type, checked }) => {
    if (tag === 'button' || type === 'submit' || type === 'image' || type === 'reset' || type === 'file') return false;
    return (type !== 'checkbox' && type !== 'radio') || checked;
  });
  return {
    action: action.href,
    method: attributes.get('method')?.toLowerCase() === 'get' ? 'get' : 'post',
    fields: new Map(sent.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
  };
}

/** Sessions and tokens in a query change from page to page; the path does not. */
function isSentTo(form: ReadForm, action: string, urls: BaseUrls): boolean {
  const [meant, own] = [URL.parse(action, urls.page), actionOf(form, urls)];
  return meant !== null && own !== null && meant.origin === own.origin && meant.pathname === own.pathname;
}

function inputOf(text: string): Omit<ReadInput, 'tag'> {
  const attributes = attributesOf(text);
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  const isBox = type === 'checkbox' || type === 'radio';
  return {
    name: attributes.get('name') ?? '',
    value: attributes.get('value') ?? (isBox ? 'on' : ''),
    type,
    autocomplete: attributes.get('autocomplete')?.toLowerCase() ?? '',
    checked: /\bchecked\b/i.test(text),
  };
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, double, single, plain] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, unescaped(double ?? single ?? plain ?? ''));
  }
  return found;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()];
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
