/** A form of a page, as it would be sent. */
export interface LoginForm {
  readonly action: string;
  readonly method: 'get' | 'post';
  /** Values that the page gives, hidden ones among them. */
  readonly fields: ReadonlyMap<string, string>;
}

// Bounded, so that no page costs more than its length.
const FORM = /<form\b([^>]{0,4000})>([\s\S]*?)(?:<\/form\s*>|$)/gi;
const INPUT = /<(input|button)\b([^>]{0,4000})>/gi;
const ATTRIBUTE = /(?<![^\s/"'])([^\s=/>"']{1,100})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s>]+))/g;
/** A form has a few fields; a page of millions is no login. */
const LONGEST = 2_000_000;

/** The first form that has all of the fields; else the first that has the last of them, which is the password in most recipes. */
export function findForm(html: string, names: readonly string[], pageUrl: string): LoginForm | undefined {
  const forms = [...html.slice(0, LONGEST).matchAll(FORM)].map(([, attributes, inside]) => ({
    attributes: attributesOf(attributes),
    inputs: [...inside.matchAll(INPUT)].map(([, tag, text]) => ({ tag: tag.toLowerCase(), ...inputOf(text) })),
  }));
  const has = (form: (typeof forms)[number], name: string): boolean => form.inputs.some((input) => input.name === name);
  const found =
    forms.find((form) => names.every((name) => has(form, name))) ?? forms.find((form) => has(form, names.at(-1) ?? ''));
  if (found === undefined) return undefined;
  const action = URL.parse(found.attributes.get('action') ?? '', pageUrl);
  if (action === null || !/^https?:$/.test(action.protocol)) return undefined;
  const sent = found.inputs.filter(({ tag, type, checked }) => {
    if (tag === 'button' || type === 'submit' || type === 'image' || type === 'reset' || type === 'file') return false;
    return (type !== 'checkbox' && type !== 'radio') || checked;
  });
  return {
    action: action.href,
    method: found.attributes.get('method')?.toLowerCase() === 'get' ? 'get' : 'post',
    fields: new Map(sent.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
  };
}

function inputOf(text: string): {
  readonly name: string;
  readonly value: string;
  readonly type: string;
  readonly checked: boolean;
} {
  const attributes = attributesOf(text);
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  const isBox = type === 'checkbox' || type === 'radio';
  return {
    name: attributes.get('name') ?? '',
    value: attributes.get('value') ?? (isBox ? 'on' : ''),
    type,
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
