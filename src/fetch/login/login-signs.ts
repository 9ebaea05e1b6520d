import { passwordForms } from './login-form.ts';

// Bounded, so that no page costs more than its length.
const SCRIPT = /<(script|style|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TEXT = />([^<>]{2,200})(?=<|$)/g;
const TITLE = /<title\b[^>]{0,200}>([^<]{2,200})</i;
const LONGEST = 2_000_000;
const LONGEST_SIGN = 80;

const LOG_OUT =
  /\b(?:log|sign)[ -]?(?:out|off)\b|\b(?:abmelden|ausloggen|uitloggen|logga ut)\b|d[ée]connexion|cerrar sesi[oó]n/i;
const LOG_IN =
  /\b(?:log|sign)[ -]?(?:in|on)\b|\b(?:anmelden|einloggen|inloggen|logga in)\b|session (?:has )?(?:expired|ended)|connexion|iniciar sesi[oó]n/i;
/** An address that is the same tomorrow: no query, no session, no long number. */
const STEADY_ACTION = /^(?!.*\d{4})[\w./:~-]{2,}$/;

/** A text of the page after a login that stands on none of the others: the way out of the session, as a rule. */
export function successSign(after: string, others: readonly string[], secrets: readonly string[]): string | undefined {
  return textsOf(after).find((text) => LOG_OUT.test(text) && isSign(text, others, secrets));
}

/**
 * A text of a page that was asked for without a session, by which one that is over is recognised. `member`: the same page within the
 * session. The form that it shows is the surest sign, then a word of invitation, then a title of its own.
 */
export function expiredSign(
  stranger: string,
  member: string,
  pageUrl: string,
  secrets: readonly string[],
): string | undefined {
  const html = stranger.slice(0, LONGEST);
  const actions = passwordForms(html, pageUrl)
    .filter(({ writtenAction }) => STEADY_ACTION.test(writtenAction))
    .flatMap(({ writtenAction }) => [`action="${writtenAction}"`, `action='${writtenAction}'`])
    .filter((text) => html.includes(text));
  const invitations = textsOf(html).filter((text) => LOG_IN.test(text));
  const title = TITLE.exec(html)?.[1].trim() ?? '';
  return [...actions, ...invitations, title].find((text) => isSign(text, [member], secrets));
}

/** Whether something beside the form has to be proved. */
export function showsCaptcha(html: string): boolean {
  return /\bg-recaptcha\b|hcaptcha\.com|\bh-captcha\b|cf-turnstile|recaptcha\/api|\bcaptcha\b/i.test(
    html.slice(0, LONGEST),
  );
}

function isSign(text: string, others: readonly string[], secrets: readonly string[]): boolean {
  if (text.length < 3 || text.length > LONGEST_SIGN || /[\r\n]/.test(text)) return false;
  return !others.some((other) => other.includes(text)) && !secrets.some((secret) => text.includes(secret));
}

function textsOf(html: string): string[] {
  const shown = html.slice(0, LONGEST).replaceAll(SCRIPT, '<>');
  return [...shown.matchAll(TEXT)].map(([, text]) => text.trim()).filter((text) => text !== '');
}
