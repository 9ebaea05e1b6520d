import { resolve } from 'node:path';
import { OrbweaverError } from '../../../base/errors.ts';
import { isReference, resolveSecret } from '../../../base/secret-reference.ts';
import type { PasswordForm } from '../../../fetch/login/login-form.ts';
import { isSecretField } from '../../../fetch/login/login-recipe.ts';
import { askTerminal } from '../../arguments/ask-terminal.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import { terminalText } from '../../output/terminal-text.ts';
import type { LoginFlags } from './login-flags.ts';

/** What a field is filled with, and how a recipe writes it: a secret as a reference. */
export interface FilledField {
  readonly name: string;
  readonly value: string;
  readonly written: string;
  /** A variable that has to be set before a crawl, since the value was typed. */
  readonly variable?: string;
}

/** The form that is meant: the only one, or the one that was named or chosen. */
export async function chosenForm(forms: readonly PasswordForm[], flags: LoginFlags): Promise<PasswordForm> {
  if (flags.form !== undefined) return forms[wholeNumber('--form', flags.form, 1, forms.length) - 1];
  if (forms.length === 1) return forms[0];
  const list = forms.map((form, at) => `  ${at + 1}  ${formLine(form)}\n`).join('');
  if (!isTerminal())
    throw new OrbweaverError(
      'USAGE',
      `The page has ${forms.length} forms that ask for a password:\n${list.trimEnd()}`,
      {
        remedy: 'Choose one with --form 1.',
      },
    );
  process.stderr.write(`The page has several forms that ask for a password:\n${list}`);
  const answer = await askTerminal('Which one? ', false);
  return forms[wholeNumber('--form', answer.trim(), 1, forms.length) - 1];
}

export function formLine({ method, action, user, passwords, others }: PasswordForm): string {
  const fields = [...(user === undefined ? [] : [user]), ...others, ...passwords].map(terminalText).join(', ');
  return `${method.toUpperCase()} ${terminalText(action.split('?', 1)[0])}: ${fields}`;
}

/** Everything that goes into the form, the password last. Asks on the terminal for what the flags do not say. */
export async function filledFields(form: PasswordForm, site: string, flags: LoginFlags): Promise<FilledField[]> {
  const extra = (flags.field ?? []).map((text) => namedField(text, form));
  const isGiven = (name: string): boolean => extra.some((field) => field.name === name);
  const fields = [...extra];
  if (form.user !== undefined && !isGiven(form.user)) fields.unshift(await userField(form.user, site, flags));
  const [password] = form.passwords;
  if (!isGiven(password)) fields.push(await passwordField(password, site, flags));
  return fields;
}

async function userField(name: string, site: string, { user, userEnv }: LoginFlags): Promise<FilledField> {
  if (user !== undefined && userEnv !== undefined)
    throw new OrbweaverError('USAGE', '--user and --user-env both name the user.', {
      remedy: 'Leave one of them out.',
    });
  if (userEnv !== undefined) return fromVariable(name, userEnv, '--user-env');
  const value = user ?? (await asked('User name: ', false, '--user or --user-env'));
  // A recipe refers to what a field of such a name holds.
  if (!isSecretField(name) && !isReference(value)) return { name, value, written: value };
  const variable = variableOf(site, 'USER');
  return { name, value, written: reference(variable), variable };
}

async function passwordField(name: string, site: string, flags: LoginFlags): Promise<FilledField> {
  const { passwordEnv, passwordFile } = flags;
  if (passwordEnv !== undefined && passwordFile !== undefined)
    throw new OrbweaverError('USAGE', '--password-env and --password-file both name the password.', {
      remedy: 'Leave one of them out.',
    });
  if (passwordEnv !== undefined) return fromVariable(name, passwordEnv, '--password-env');
  if (passwordFile !== undefined) {
    const written = `file:${resolve(passwordFile)}`;
    return { name, written, value: resolveSecret(written, '--password-file') };
  }
  const value = await asked('Password (it is not shown): ', true, '--password-env or --password-file');
  const variable = variableOf(site, 'PASSWORD');
  return { name, value, written: reference(variable), variable };
}

function namedField(text: string, { passwords }: PasswordForm): FilledField {
  const equals = text.indexOf('=');
  const [name, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals < 1)
    throw new OrbweaverError('USAGE', '--field takes NAME=VALUE.', { remedy: 'Such as --field company=acme.' });
  if ((isSecretField(name) || passwords.includes(name)) && !isReference(written))
    throw new OrbweaverError('USAGE', `--field ${name} holds a secret itself, which would be written to the recipe.`, {
      remedy: `Refer to it: --field '${name}=\${NAME}' for an environment variable, or --field ${name}=file:PATH.`,
    });
  return { name, written, value: resolveSecret(written, `--field ${name}`, process.env) };
}

function fromVariable(name: string, variable: string, flag: string): FilledField {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable))
    throw new OrbweaverError('USAGE', `${flag} takes the name of an environment variable.`, {
      remedy: `Such as ${flag} SITE_PASSWORD; the value itself is never written on a command line.`,
    });
  const written = reference(variable);
  return { name, written, value: resolveSecret(written, flag, process.env) };
}

async function asked(question: string, hidden: boolean, flags: string): Promise<string> {
  if (!isTerminal())
    throw new OrbweaverError(
      'USAGE',
      `Nobody can be asked for ${hidden ? 'a password' : 'a user name'}: there is no terminal.`,
      {
        remedy: `Name it with ${flags}.`,
      },
    );
  const answer = await askTerminal(question, hidden);
  if (answer !== '') return answer;
  throw new OrbweaverError('USAGE', `The ${hidden ? 'password' : 'user name'} is empty. Nothing was sent.`);
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function reference(variable: string): string {
  return `\${${variable}}`;
}

/** Such as EXAMPLE_ORG_PASSWORD. */
function variableOf(site: string, what: string): string {
  const host = new URL(site).hostname.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return `${/^[A-Z]/.test(host) ? '' : 'SITE_'}${host}_${what}`.replaceAll(/_+/g, '_');
}
