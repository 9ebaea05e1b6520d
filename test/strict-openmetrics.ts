/** A reader of OpenMetrics and of the text format of Prometheus that takes nothing that the formats do not allow. Knows none of our code. */
export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ReadFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: ReadSample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LINE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|-Inf|NaN)$/i;

export function readMetrics(text: string, format: 'text' | 'openmetrics'): Map<string, ReadFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const lines = text.slice(0, -1).split('\n');
  if (format === 'openmetrics' && lines.pop() !== '# EOF') throw new Error('no # EOF');
  const families = new Map<string, ReadFamily>();
  const seen = new Set<string>();
  let help: { name: string; text: string } | undefined;
  let family: ReadFamily | undefined;
  for (const line of lines) {
    if (line.startsWith('# HELP ')) {
      const [, name, said] = /^# HELP (\S+) (.*)$/.exec(line) ?? fail(line);
      help = { name, text: said };
    } else if (line.startsWith('# TYPE ')) {
      const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? fail(line);
      if (families.has(name)) throw new Error(`${name} comes twice`);
      if (help?.name !== name) throw new Error(`${name} has no help before its type`);
      if (format === 'openmetrics' && type === 'counter' && name.endsWith('_total')) fail(line);
      family = { name, type, help: help.text, samples: [] };
      families.set(name, family);
    } else {
      if (family === undefined) fail(line);
      const sample = readSample(line);
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      seen.add(key);
      if (!belongs(sample.name, family as ReadFamily, format)) throw new Error(`not of ${family?.name}: ${line}`);
      (family as ReadFamily).samples.push(sample);
    }
  }
  for (const each of families.values()) check(each);
  return families;
}

function readSample(line: string): ReadSample {
  const [, name, inBraces = '', value] = LINE.exec(line) ?? fail(line);
  if (!NUMBER.test(value)) fail(line);
  const labels: Record<string, string> = {};
  for (let rest = inBraces; rest !== ''; ) {
    const [whole, label, text] = LABEL.exec(rest) ?? fail(line);
    if (label in labels || label.startsWith('__')) fail(line);
    labels[label] = text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace(/Inf$/, 'Infinity')) };
}

function belongs(name: string, { name: family, type }: ReadFamily, format: string): boolean {
  if (type === 'histogram') return ['_bucket', '_sum', '_count'].some((suffix) => name === family + suffix);
  if (type === 'counter' && format === 'openmetrics') return name === `${family}_total`;
  return name === family && (type !== 'counter' || name.endsWith('_total'));
}

function check({ name, type, samples }: ReadFamily): void {
  if (samples.length === 0) throw new Error(`${name} has no sample`);
  if (type === 'counter' && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below 0`);
  if (type !== 'histogram') return;
  const buckets = samples.filter((sample) => sample.name === `${name}_bucket`);
  const bounds = buckets.map(({ labels }) => Number(labels.le.replace('Inf', 'Infinity')));
  const ascends = (values: readonly number[]): boolean =>
    values.every((value, at) => at === 0 || value >= values[at - 1]);
  if (!ascends(bounds) || !ascends(buckets.map(({ value }) => value))) throw new Error(`${name} does not ascend`);
  const count = samples.find((sample) => sample.name === `${name}_count`)?.value;
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count) throw new Error(`${name}: +Inf`);
}

function fail(line: string): never {
  throw new Error(`cannot be read: ${line}`);
}
