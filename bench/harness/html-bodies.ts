import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The HTML files of a folder in the order of their names, again from the first where there are fewer than `count`. */
export function htmlBodies(folder: string, count: number): readonly Buffer[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.html?$/.test(file))
    .sort()
    .slice(0, count);
  if (files.length === 0) throw new Error(`no HTML in ${folder}`);
  const read = files.map((file) => readFileSync(join(folder, file)));
  return Array.from({ length: count }, (_, at) => read[at % read.length]);
}
