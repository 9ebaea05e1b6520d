import { resolve } from 'node:path';
import type { Kind } from '../kind.ts';
import { setting } from '../kind.ts';
import { holdsRules } from '../rules-text.ts';
import { duration } from '../scalar-kinds.ts';

const ACCEPTS = 'rules as in docs/extraction-rules.md, or the name of a file that holds them';

/** A mapping in the settings file, a file elsewhere. */
const rules: Kind<string> = {
  name: 'text',
  accepts: ACCEPTS,
  summary: ACCEPTS,
  placeholder: '<file>',
  repeatable: false,
  read(raw) {
    if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return { value: JSON.stringify(raw) };
    if (typeof raw !== 'string') return { wrong: `takes ${ACCEPTS}` };
    if (raw.trim() === '') return { value: '' };
    return { value: holdsRules(raw) ? raw : resolve(raw.trim()) };
  },
  write: (value) => value,
};

/** Rows that users define. */
export const extractionSettings = {
  extract: setting(
    rules,
    '',
    `Rules that read typed rows from pages: per URL pattern named fields by CSS selector, XPath, JSON-LD path or regular expression
    ([extraction rules](extraction-rules.md)). In this file a mapping of sets; as a flag the name of a file that holds one. \`orbweaver rows\` shows what they give.`,
  ),
  extractTime: setting(
    duration({ min: 10, max: 60_000 }),
    1000,
    'Longest time for all rules on one page. A page that takes longer keeps the rows it had, and `orbweaver rows` tells of it.',
  ),
};
