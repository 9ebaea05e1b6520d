/**
 * The scripts of all characters -> the table of letters, as runs of one class: `length:class`.
 * node tools/build-language-model/letter-classes.ts src/extract/language/letter-classes.json
 */
import { writeFileSync } from 'node:fs';
import { unicodeClasses } from './unicode-classes.ts';

const [out] = process.argv.slice(2);
const of = unicodeClasses();
const runs: string[] = [];
for (let start = 0, end = 0; start < of.length; start = end) {
  while (end < of.length && of[end] === of[start]) end++;
  runs.push(`${end - start}:${of[start]}`);
}
writeFileSync(out, `${JSON.stringify({ unicode: process.versions.unicode, runs: runs.join(' ') }, undefined, 2)}\n`);
