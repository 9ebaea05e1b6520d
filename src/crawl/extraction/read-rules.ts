import { readFile } from 'node:fs/promises';
import { OrbweaverError } from '../../base/errors.ts';
import { holdsRules, markedRules } from '../../base/settings/rules-text.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { RuleSet } from '../../contracts/content/extraction-rules.ts';
import { compilePattern } from '../../scope/url-pattern.ts';

/** The rules of a crawl, checked; none where it has none. Throws RULES_INVALID with the line of each mistake. */
export async function readRules({ extract }: Pick<Settings, 'extract'>): Promise<RuleSet[]> {
  if (extract.trim() === '') return [];
  const text = holdsRules(extract) ? extract : markedRules({ text: await readText(extract), file: extract, line: 1 });
  // The libraries behind the rules take their time to load.
  const { parseRules } = await import('../../extract/rules/parse-rules.ts');
  return parseRules(text, compilePattern);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a folder' : (code ?? String(cause));
    throw new OrbweaverError('RULES_INVALID', `The rules in ${path} could not be read: ${why}.`, {
      remedy: 'extract takes the name of a file with rules; docs/extraction-rules.md shows one.',
      cause,
    });
  }
}
