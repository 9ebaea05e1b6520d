import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { OrbweaverError } from '../../base/errors.ts';
import { isReference, resolveSecret } from '../../base/secret-reference.ts';

/** How to log in to a site by its form, with the secrets. Never to be written or told. */
export interface LoginRecipe {
  /** The origin whose pages need it. */
  readonly site: string;
  /** The page with the form. */
  readonly page: string;
  /** Where the form is sent, for pages that have several with the same fields. */
  readonly action?: string;
  /** What is filled in, by the names of the fields. */
  readonly fields: Readonly<Record<string, string>>;
  /** Stands on the page that follows where the login went well. */
  readonly success?: string;
  /** Stands on a page where the session is over. */
  readonly expired?: string;
  /** URLs that are not asked for, since they would end the session. */
  readonly avoid: RegExp;
}

const KEYS = new Set(['site', 'page', 'action', 'fields', 'success', 'expired', 'avoid']);
const SECRET_NAME = /pass|pwd|secret|token|pin\b|kennwort/i;
const ENDS_SESSION = 'log-?out|log-?off|sign-?out|sign-?off|abmelden';

/** The recipes of a file: one, or a list of them. */
export function readLoginFile(path: string): LoginRecipe[] {
  let written: unknown;
  try {
    // Every thread that asks comes by here, and few crawls log in: what reads YAML is some seventy modules.
    const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
    written = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw invalid(path, `cannot be read: ${(cause as Error).message.split('\n', 1)[0]}`);
  }
  const recipes = Array.isArray(written) ? written : [written];
  return recipes.map((recipe) => recipeOf(recipe, path));
}

function recipeOf(written: unknown, path: string): LoginRecipe {
  if (typeof written !== 'object' || written === null) throw invalid(path, 'holds no recipe');
  const recipe = written as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(recipe).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw invalid(path, `has the key "${unknown}", which means nothing`);
  const page = webUrl(recipe.page, 'page', path);
  const site = recipe.site === undefined ? page.origin : webUrl(recipe.site, 'site', path).origin;
  const fields = Object.entries((recipe.fields ?? {}) as Readonly<Record<string, unknown>>);
  if (typeof recipe.fields !== 'object' || fields.length === 0) throw invalid(path, 'has no fields');
  return {
    ...{ site, page: page.href, avoid: patternOf(recipe.avoid, path) },
    fields: Object.fromEntries(fields.map(([name, value]) => [name, fieldOf(name, value, path)])),
    ...textOf(recipe, 'action', path),
    ...textOf(recipe, 'success', path),
    ...textOf(recipe, 'expired', path),
  };
}

/** Whether a field holds a secret, by its name: a recipe then refers to it. */
export function isSecretField(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A file of recipes is copied and shown: passwords stay elsewhere. */
function fieldOf(name: string, value: unknown, path: string): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  if (text === undefined) throw invalid(path, `has no text for the field "${name}"`);
  if (isSecretField(name) && !isReference(text))
    throw invalid(path, `holds the field "${name}" itself; write \${NAME} of an environment variable, or file:PATH`);
  return resolveSecret(text, `The field "${name}" of ${path}`);
}

function textOf(
  recipe: Readonly<Record<string, unknown>>,
  key: 'action' | 'success' | 'expired',
  path: string,
): { readonly [key: string]: string } {
  const value = recipe[key];
  if (value === undefined) return {};
  if (typeof value !== 'string' || value.trim() === '') throw invalid(path, `has no text for "${key}"`);
  return { [key]: value };
}

function patternOf(value: unknown, path: string): RegExp {
  try {
    return new RegExp(value === undefined ? ENDS_SESSION : String(value), 'i');
  } catch {
    throw invalid(path, 'has an "avoid" that is no regular expression');
  }
}

function webUrl(value: unknown, key: string, path: string): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw invalid(path, `has no "${key}" such as https://example.org/login`);
}

function invalid(path: string, why: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `The login file ${path} ${why}.`, {
    remedy: 'See docs/private-sites.md for the form of a recipe.',
  });
}
