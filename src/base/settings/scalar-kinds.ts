import type { Kind, PlainNumbers, Reading } from './kind.ts';

export interface Range {
  readonly min?: number;
  readonly max?: number;
  /** The word `unlimited` is accepted and becomes Infinity, with which every comparison comes out right. */
  readonly unlimited?: boolean;
}

const UNLIMITED = 'unlimited';

export function integer(range: Range = {}): Kind<number> {
  return measured('integer', 'a whole number', '<n>', range, {
    units: {},
    plain: 1,
    round: false,
    text: (value) => String(value),
  });
}

export function decimal(range: Range = {}): Kind<number> {
  return measured('number', 'a number', '<number>', range, {
    units: {},
    plain: 1,
    round: undefined,
    text: (value) => String(value),
  });
}

/** A part of a whole, as people write it: 0.95 or 95%. */
export function share(range: Range = {}): Kind<number> {
  return measured(
    'number',
    'a share such as 0.95 or 95%',
    '<share>',
    { max: 1, ...range },
    {
      units: { '%': 0.01 },
      plain: 1,
      round: undefined,
      text: (value) => String(value),
    },
  );
}

const DURATION_UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds. A plain number means seconds: the mistake "--delay 1" then errs on the polite side. */
export function duration(range: Range = {}): Kind<number> {
  return measured(
    'duration',
    'a duration such as 500ms, 2s, 5m, 1h or 1d (a plain number counts seconds)',
    '<duration>',
    range,
    {
      units: DURATION_UNITS,
      plain: 1000,
      round: true,
      text: (value) => inLargestUnit(value, DURATION_UNITS, '0s'),
    },
  );
}

const BINARY_UNITS = { TiB: 2 ** 40, GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, B: 1 };
const BYTE_UNITS = { ...BINARY_UNITS, TB: 1e12, GB: 1e9, MB: 1e6, KB: 1e3 };

export function bytes(range: Range = {}): Kind<number> {
  return measured('bytes', 'a size such as 500KB, 10MB or 1GiB (a plain number counts bytes)', '<size>', range, {
    units: BYTE_UNITS,
    plain: 1,
    round: true,
    text: (value) => inLargestUnit(value, BINARY_UNITS, '0B'),
  });
}

const WORDS = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  [false, false],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

export const truth: Kind<boolean> = {
  name: 'boolean',
  accepts: 'true or false (also yes/no, on/off, 1/0)',
  summary: 'true or false',
  placeholder: '',
  repeatable: false,
  read(raw) {
    const value = WORDS.get(typeof raw === 'string' ? raw.trim().toLowerCase() : raw);
    return value === undefined ? { wrong: `takes ${this.accepts}` } : { value };
  },
  write: (value) => String(value),
};

export function oneOf<const T extends string>(...choices: readonly T[]): Kind<T> {
  const accepts = `one of ${choices.join(', ')}`;
  return {
    name: 'choice',
    accepts,
    summary: choices.map((choice) => `\`${choice}\``).join(', '),
    placeholder: `<${choices.join('|')}>`,
    repeatable: false,
    read(raw) {
      const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
      const value = choices.find((choice) => choice === word);
      return value === undefined ? { wrong: `takes ${accepts}` } : { value };
    },
    write: (value) => value,
  };
}

/** `refine` gives the text as it is kept, or undefined where it is not acceptable. The default takes any line of text. */
export function text(
  accepts = 'a line of text',
  refine: (raw: string) => string | undefined = oneLine,
  placeholder = '<text>',
): Kind<string> {
  return {
    name: 'text',
    accepts,
    summary: accepts,
    placeholder,
    repeatable: false,
    read(raw) {
      const value = typeof raw === 'string' ? refine(raw.trim()) : undefined;
      return value === undefined ? { wrong: `takes ${accepts}` } : { value };
    },
    write: (value) => value,
  };
}

function oneLine(raw: string): string | undefined {
  return /[\u0000-\u001f\u007f]/.test(raw) ? undefined : raw;
}

interface Measure {
  readonly units: Readonly<Record<string, number>>;
  /** What a plain number written by a person is multiplied with. */
  readonly plain: number;
  /** true: fractions of the smallest unit are rounded; false: they are refused; undefined: they are kept. */
  readonly round: boolean | undefined;
  readonly text: (value: number) => string;
}

function measured(
  name: Kind<number>['name'],
  what: string,
  placeholder: string,
  range: Range,
  measure: Measure,
): Kind<number> {
  const { min = 0, max = Number.POSITIVE_INFINITY, unlimited = false } = range;
  const write = (value: number) => (value === Number.POSITIVE_INFINITY ? UNLIMITED : measure.text(value));
  const bounds = rangeText(write, min, max) + (unlimited ? `, or ${UNLIMITED}` : '');
  const accepts = what + bounds;

  function read(raw: unknown, plainNumbers: PlainNumbers): Reading<number> {
    const amount = amountOf(raw, plainNumbers, measure);
    if (amount === Number.POSITIVE_INFINITY && unlimited) return { value: amount };
    if (amount === undefined || !Number.isFinite(amount) || amount < min || amount > max)
      return { wrong: `takes ${accepts}` };
    return { value: amount };
  }
  return { name, accepts, summary: name + bounds, placeholder, repeatable: false, read, write };
}

function amountOf(raw: unknown, plainNumbers: PlainNumbers, measure: Measure): number | undefined {
  let amount: number;
  if (typeof raw === 'number') {
    amount = raw * (plainNumbers === 'documented' ? measure.plain : 1);
  } else if (typeof raw === 'string') {
    const word = raw.trim();
    if (word.toLowerCase() === UNLIMITED) return Number.POSITIVE_INFINITY;
    const parts = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([a-z]*|%)$/i.exec(word);
    if (parts === null) return undefined;
    const factor = parts[2] === '' ? measure.plain : unitFactor(parts[2], measure.units);
    if (factor === undefined) return undefined;
    // 57 times 0.01 is not quite 0.57.
    amount = factor === 0.01 ? Number(parts[1]) / 100 : Number(parts[1]) * factor;
  } else {
    return undefined;
  }
  if (amount === Number.POSITIVE_INFINITY) return amount;
  if (measure.round === false && !Number.isInteger(amount)) return undefined;
  return measure.round ? Math.round(amount) : amount;
}

function unitFactor(unit: string, units: Readonly<Record<string, number>>): number | undefined {
  const name = Object.keys(units).find((known) => known.toLowerCase() === unit.toLowerCase());
  return name === undefined ? undefined : units[name];
}

function inLargestUnit(value: number, units: Readonly<Record<string, number>>, zero: string): string {
  if (value === 0) return zero;
  for (const [unit, factor] of Object.entries(units)) {
    if (value % factor === 0) return `${value / factor}${unit}`;
  }
  return zero;
}

function rangeText(write: (value: number) => string, min: number, max: number): string {
  if (max !== Number.POSITIVE_INFINITY) return ` from ${write(min)} to ${write(max)}`;
  return min > 0 ? `, at least ${write(min)}` : '';
}

/** A whole number, or `auto`: whatever suits the machine. */
export function integerOrAuto(range: Range = {}): Kind<number | 'auto'> {
  return integerOr('auto', range);
}

/** A whole number, or one word that stands for something else. */
export function integerOr<const Word extends string>(word: Word, range: Range = {}): Kind<number | Word> {
  const kind = integer(range);
  const accepts = `${kind.accepts}, or ${word}`;
  return {
    ...kind,
    accepts,
    summary: `${kind.summary}, or \`${word}\``,
    placeholder: `<n|${word}>`,
    read(raw, plainNumbers) {
      const reading = raw === word ? { value: word } : kind.read(raw, plainNumbers);
      return 'wrong' in reading ? { wrong: `takes ${accepts}` } : reading;
    },
    write: (value) => (typeof value === 'number' ? kind.write(value) : word),
  };
}
