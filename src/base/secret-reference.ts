import { readFileSync } from 'node:fs';
import { OrbweaverError } from './errors.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const FILE = /^file:(.+)$/;
const LONGEST = 64 * 1024;

/** Whether a text says where a secret is to be found, and is none itself. */
export function isReference(text: string): boolean {
  return FILE.test(text) || text.search(VARIABLE) !== -1;
}

/**
 * A text with the secrets that it refers to: `${NAME}` is the value of an environment variable, `file:PATH` the first line of a file. What is neither is given
 * back as it is. `of`: the setting, for messages, which never hold a value.
 */
export function resolveSecret(text: string, of: string, env: NodeJS.ProcessEnv = process.env): string {
  const path = FILE.exec(text)?.[1];
  if (path !== undefined) return firstLineOf(path, of);
  return text.replaceAll(VARIABLE, (_, name: string) => {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new OrbweaverError('SETTING_INVALID', `${of} refers to the environment variable ${name}, which is not set.`, {
      remedy: `Set it, such as: export ${name}=…; or refer to a file: file:PATH.`,
    });
  });
}

function firstLineOf(path: string, of: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new OrbweaverError('SETTING_INVALID', `${of} refers to the file ${path}, which cannot be read (${code}).`, {
      remedy: 'Look at its path, which counts from the working directory, and at its permissions.',
    });
  }
  const [line] = text.split(/\r?\n/, 1);
  if (line !== '' && line.length <= LONGEST) return line;
  throw new OrbweaverError('SETTING_INVALID', `${of} refers to the file ${path}, which has no first line to be used.`, {
    remedy: 'Write the secret, and nothing else, into its first line.',
  });
}
