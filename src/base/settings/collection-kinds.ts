import type { Kind, PlainNumbers, Reading } from './kind.ts';

/** What separates entries in one text; chosen per setting so that no entry contains it, and text reads back. */
export type Separator = 'comma' | 'commaAlone' | 'space' | 'line';

const SEPARATORS: Readonly<Record<Separator, { split: RegExp; join: string; words: string }>> = {
  comma: { split: /[\s,]+/, join: ',', words: 'separated by commas' },
  commaAlone: { split: /[,\r\n]+/, join: ',', words: 'separated by commas' },
  space: { split: /\s+/, join: ' ', words: 'separated by white space' },
  line: { split: /[\r\n]+/, join: '\n', words: 'one per line' },
};

export function list(item: Kind<string>, separator: Separator): Kind<readonly string[]> {
  const accepts = `${item.accepts}; several ${SEPARATORS[separator].words}`;
  return {
    name: 'list',
    accepts,
    summary: accepts,
    placeholder: item.placeholder,
    repeatable: true,
    read(raw, plainNumbers) {
      const entries = splitEntries(raw, separator);
      if (entries === undefined) return { wrong: `takes ${accepts}` };
      const values: string[] = [];
      for (const entry of entries) {
        const reading = item.read(entry, plainNumbers);
        if ('wrong' in reading) return { wrong: `has the entry ${JSON.stringify(entry)}, but ${reading.wrong}` };
        if (!values.includes(reading.value)) values.push(reading.value);
      }
      return { value: values };
    },
    write: (value) => value.join(SEPARATORS[separator].join),
  };
}

/** Which of several equals signs ends the key. */
type KeyEnd = 'first' | 'last';

/** Entries `key=value`; `keyEnd` 'last' where keys may hold an equals sign. No prototype: "constructor" finds nothing. */
export function map<T>(
  key: Kind<string>,
  value: Kind<T>,
  separator: Separator,
  keyEnd: KeyEnd = 'first',
): Kind<Readonly<Record<string, T>>> {
  const entries = `entries KEY=VALUE, ${SEPARATORS[separator].words}`;
  const accepts = `${entries}; KEY is ${key.accepts}, VALUE is ${value.accepts}`;
  return {
    name: 'map',
    accepts,
    summary: `${entries}; KEY is ${key.summary}, VALUE is ${value.summary}`,
    placeholder: '<key=value>',
    repeatable: true,
    read(raw, plainNumbers) {
      const pairs = readPairs(rawPairsOf(raw, separator, keyEnd), key, value, accepts, plainNumbers);
      if ('wrong' in pairs) return pairs;
      const record: Record<string, T> = Object.create(null);
      for (const [name, entry] of pairs.value) {
        if (name in record) return { wrong: `has the key ${JSON.stringify(name)} twice` };
        record[name] = entry;
      }
      return { value: record };
    },
    write: (record) => writePairs(Object.entries(record), value, separator),
  };
}

/** Like `map`, but a key may occur again: it gathers a list. */
export function mapOfLists(
  key: Kind<string>,
  item: Kind<string>,
  separator: Separator,
): Kind<Readonly<Record<string, readonly string[]>>> {
  const accepts = `entries KEY=VALUE, ${SEPARATORS[separator].words}, keys may recur; KEY is ${key.accepts}, VALUE is ${item.accepts}`;
  return {
    name: 'map of lists',
    accepts,
    summary: accepts,
    placeholder: '<key=value>',
    repeatable: true,
    read(raw, plainNumbers) {
      const pairs = readPairs(rawPairsOf(raw, separator, 'first'), key, item, accepts, plainNumbers);
      if ('wrong' in pairs) return pairs;
      const record: Record<string, string[]> = Object.create(null);
      for (const [name, entry] of pairs.value) {
        record[name] ??= [];
        record[name].push(entry);
      }
      return { value: record };
    },
    write(record) {
      const pairs = Object.entries(record).flatMap(([name, items]) =>
        items.map((entry): [string, string] => [name, entry]),
      );
      return writePairs(pairs, item, separator);
    },
  };
}

function readPairs<T>(
  rawPairs: [string, unknown][] | undefined,
  key: Kind<string>,
  value: Kind<T>,
  accepts: string,
  plainNumbers: PlainNumbers,
): Reading<[string, T][]> {
  if (rawPairs === undefined) return { wrong: `takes ${accepts}` };
  const pairs: [string, T][] = [];
  for (const [rawKey, rawValue] of rawPairs) {
    const name = key.read(rawKey, plainNumbers);
    if ('wrong' in name) return { wrong: `has the key ${JSON.stringify(rawKey)}, but a key ${name.wrong}` };
    const entry = value.read(rawValue, plainNumbers);
    if ('wrong' in entry) return { wrong: `has a bad value for ${JSON.stringify(rawKey)}: it ${entry.wrong}` };
    pairs.push([name.value, entry.value]);
  }
  return { value: pairs };
}

function rawPairsOf(raw: unknown, separator: Separator, keyEnd: KeyEnd): [string, unknown][] | undefined {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) {
    return Object.entries(raw).flatMap(([key, value]) =>
      Array.isArray(value)
        ? value.map((entry): [string, unknown] => [key, entry])
        : [[key, value] as [string, unknown]],
    );
  }
  const pairs: [string, unknown][] = [];
  for (const entry of splitEntries(raw, separator) ?? [undefined]) {
    const equals = (keyEnd === 'first' ? entry?.indexOf('=') : entry?.lastIndexOf('=')) ?? -1;
    if (entry === undefined || equals < 1) return undefined;
    pairs.push([entry.slice(0, equals).trim(), entry.slice(equals + 1).trim()]);
  }
  return pairs;
}

function writePairs<T>(pairs: readonly (readonly [string, T])[], value: Kind<T>, separator: Separator): string {
  return pairs.map(([key, entry]) => `${key}=${value.write(entry)}`).join(SEPARATORS[separator].join);
}

/** A text, or an array of texts as repeated flags and YAML lists give; undefined for anything else. */
function splitEntries(raw: unknown, separator: Separator): string[] | undefined {
  const texts: unknown[] = Array.isArray(raw) ? raw : [raw];
  const entries: string[] = [];
  for (const text of texts) {
    if (typeof text !== 'string') return undefined;
    for (const entry of text.split(SEPARATORS[separator].split)) {
      if (entry.trim() !== '') entries.push(entry.trim());
    }
  }
  return entries;
}
