import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = new Map<string, string>();

/** Scripts that run in pages; see `page-scripts/`. */
export function pageScript(name: 'hooks' | 'read-page' | 'see-page'): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(join(import.meta.dirname, 'page-scripts', `${name}.js`), 'utf8');
  read.set(name, text);
  return text;
}
