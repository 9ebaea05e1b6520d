import { readFile } from 'node:fs/promises';
import { OrbweaverError } from '../errors.ts';
import { markedRules } from './rules-text.ts';

/** The content of a settings file, not yet checked. With `optional`, a file that does not exist counts as empty. */
export async function loadSettingsFile(
  path: string,
  options: { readonly optional?: boolean } = {},
): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if ((code === 'ENOENT' || code === 'ENOTDIR') && options.optional) return {};
    const why =
      code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : (code ?? String(cause));
    throw unreadable(`The settings file ${path} could not be read: ${why}.`, cause);
  }
  return parseSettings(text, path);
}

async function parseSettings(text: string, path: string): Promise<Record<string, unknown>> {
  // Loaded only here: most commands run without a settings file and need not wait for the parser.
  const { LineCounter, isMap, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    throw unreadable(`${path}, line ${lines.linePos(error.pos[0]).line}: ${error.message}`, error);
  }
  if (document.contents === null) return {};
  if (!isMap(document.contents)) {
    const line = lines.linePos(document.contents.range?.[0] ?? 0).line;
    throw unreadable(`${path}, line ${line}: a settings file consists of lines such as "delay: 2s".`);
  }
  try {
    const values: Record<string, unknown> = document.toJS({ maxAliasCount: 100 });
    const rules = document.contents.get('extract', true);
    // As text, so that a mistake in a rule can be told with its line. An alias means something only in the whole file.
    if (isMap(rules) && rules.range && !/[*&]\w/.test(text.slice(rules.range[0], rules.range[1]))) {
      const { line, col } = lines.linePos(rules.range[0]);
      const source = ' '.repeat(col - 1) + text.slice(rules.range[0], rules.range[1]);
      values.extract = markedRules({ text: source, file: path, line });
    }
    return values;
  } catch (cause) {
    throw unreadable(`${path}: ${(cause as Error).message}`, cause);
  }
}

function unreadable(message: string, cause?: unknown): OrbweaverError {
  return new OrbweaverError('SETTINGS_FILE_UNREADABLE', message, {
    cause,
    remedy: 'It is YAML with one setting per line, such as "delay: 2s"; docs/settings.md lists them.',
  });
}
