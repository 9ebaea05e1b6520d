/**
 * How often the language of a text is found, and how fast.
 * node tools/score-languages.ts [../shared/corpora/language/samples.jsonl] [--confusions]
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LanguageIdentifier } from '../src/extract/language/language-identifier.ts';

interface Sample {
  readonly lang: string;
  readonly kind: string;
  readonly text: string;
}

const { values, positionals } = parseArgs({
  options: { confusions: { type: 'boolean' }, model: { type: 'string' } },
  allowPositionals: true,
});
const path = positionals[0] ?? fileURLToPath(new URL('../../shared/corpora/language/samples.jsonl', import.meta.url));
const samples: Sample[] = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const { model } = values;
const identifier = model === undefined ? new LanguageIdentifier() : new LanguageIdentifier(() => readFileSync(model));

for (const kind of new Set(samples.map((sample) => sample.kind))) {
  const own = samples.filter((sample) => sample.kind === kind);
  const confused = new Map<string, number>();
  let right = 0;
  let reliable = 0;
  let reliablyWrong = 0;
  for (const { text, lang } of own) {
    const found = identifier.identify(text);
    if (found?.reliable === true) reliable++;
    if (found?.language === lang) right++;
    else {
      const pair = `${lang}>${found?.language}`;
      confused.set(pair, (confused.get(pair) ?? 0) + 1);
      if (found?.reliable === true) reliablyWrong++;
    }
  }
  console.log(
    `${kind}: ${(right / own.length).toFixed(4)} of ${own.length}; called reliable ${reliable}, of them wrong ${reliablyWrong}`,
  );
  if (values.confusions === true) {
    const worst = [...confused].sort(([, a], [, b]) => b - a).map(([pair, count]) => `${pair} ${count}`);
    console.log(`  ${worst.join(', ')}`);
  }
  console.log(`  ${speed(own.map(({ text }) => text)).toLocaleString('en')} texts/s per core`);
}

function speed(texts: readonly string[]): number {
  const start = process.cpuUsage();
  let runs = 0;
  while (process.cpuUsage(start).user < 1_000_000) {
    for (const text of texts) identifier.identify(text);
    runs += texts.length;
  }
  const { user, system } = process.cpuUsage(start);
  return Math.round((runs * 1e6) / (user + system));
}
