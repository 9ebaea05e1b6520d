import type { ByteReader } from '../byte-reader.ts';
import type { DocPlace } from './doc-fib.ts';
import { numberText } from './doc-number-text.ts';

interface ListLevel {
  readonly start: number;
  readonly format: number;
  readonly isLegal: boolean;
  /** It counts on under a higher level from this one. */
  readonly restartsBelow: number;
  /** Characters 0 to 8 stand for the numbers of the levels. */
  readonly text: string;
}

interface ListOverride {
  readonly list: number;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, ListLevel>;
}

const LIST_LENGTH = 28;
const LEVEL_LENGTH = 28;
const OVERRIDE_LENGTH = 16;
const MAX_LISTS = 4_096;
const LEVELS = 9;

/** The numbered and bulleted lists of a Word document; counts while the paragraphs are read in order. */
export class DocLists {
  readonly #table: ByteReader;
  readonly #lists = new Map<number, ListLevel[]>();
  readonly #overrides: ListOverride[] = [];
  readonly #counters = new Map<number, (number | undefined)[]>();
  readonly #started = new Set<number>();

  constructor(table: ByteReader, lists: DocPlace, overrides: DocPlace) {
    this.#table = table;
    if (lists.length >= 2) this.#readLists(lists.at);
    if (overrides.length >= 4) this.#readOverrides(overrides.at);
  }

  /** Counts one more item of a list and tells its number as it is shown: '' for a bullet. */
  next(override: number, level: number): string {
    const chosen = this.#overrides[override - 1];
    const levels = chosen === undefined ? undefined : this.#lists.get(chosen.list);
    if (chosen === undefined || levels === undefined) return '';
    const levelAt = (at: number) => chosen.levels.get(at) ?? levels[Math.min(at, levels.length - 1)];
    const startAt = (at: number) => chosen.starts.get(at) ?? levelAt(at)?.start ?? 1;
    const counters = this.#counters.get(chosen.list) ?? [];
    this.#counters.set(chosen.list, counters);
    // An override that says where to start begins again when it is first used.
    const use = override * LEVELS + level;
    const isFirst = !this.#started.has(use) && chosen.starts.has(level);
    this.#started.add(use);
    const count = counters[level];
    counters[level] = isFirst || count === undefined ? startAt(level) : count + 1;
    for (let at = 0; at < level; at++) counters[at] ??= startAt(at);
    for (let at = level + 1; at < LEVELS; at++) {
      if (level < (levelAt(at)?.restartsBelow ?? LEVELS)) counters[at] = undefined;
    }
    return this.#label(levelAt(level), counters, levelAt);
  }

  #label(
    level: ListLevel | undefined,
    counters: readonly (number | undefined)[],
    levelAt: (at: number) => ListLevel | undefined,
  ): string {
    if (level === undefined || level.format === 23) return '';
    let label = '';
    for (const character of level.text) {
      const at = character.charCodeAt(0);
      if (at >= LEVELS) label += character;
      else label += numberText(counters[at] ?? 1, level.isLegal ? 0 : (levelAt(at)?.format ?? 0));
    }
    return label;
  }

  #readLists(start: number): void {
    const table = this.#table;
    const count = Math.min(table.u16(start), MAX_LISTS);
    let at = start + 2 + count * LIST_LENGTH;
    for (let i = 0; i < count; i++) {
      const list = start + 2 + i * LIST_LENGTH;
      const isSimple = (table.u8(list + 26) & 1) !== 0;
      const levels: ListLevel[] = [];
      for (let level = 0; level < (isSimple ? 1 : LEVELS) && at < table.length; level++) {
        const read = this.#readLevel(at);
        levels.push(read.level);
        at = read.end;
      }
      this.#lists.set(table.u32(list), levels);
    }
  }

  #readLevel(at: number): { level: ListLevel; end: number } {
    const table = this.#table;
    const flags = table.u8(at + 5);
    const text = at + LEVEL_LENGTH + table.u8(at + 24) + table.u8(at + 25);
    const length = table.u16(text);
    const level: ListLevel = {
      start: table.i32(at),
      format: table.u8(at + 4),
      isLegal: (flags & 0x04) !== 0,
      restartsBelow: (flags & 0x08) === 0 ? LEVELS : table.u8(at + 26),
      text: table.utf16(text + 2, Math.min(length, 255)),
    };
    return { level, end: text + 2 + length * 2 };
  }

  #readOverrides(start: number): void {
    const table = this.#table;
    const count = Math.min(table.u32(start), MAX_LISTS);
    let at = start + 4 + count * OVERRIDE_LENGTH;
    for (let i = 0; i < count; i++) {
      const place = start + 4 + i * OVERRIDE_LENGTH;
      const override: ListOverride = { list: table.u32(place), starts: new Map(), levels: new Map() };
      this.#overrides.push(override);
      const changes = Math.min(table.u8(place + 12), LEVELS);
      at += 4;
      for (let change = 0; change < changes && at < table.length; change++) {
        const flags = table.u32(at + 4);
        const level = flags & 0xf;
        if ((flags & 0x10) !== 0) override.starts.set(level, table.i32(at));
        at += 8;
        if ((flags & 0x20) === 0) continue;
        const read = this.#readLevel(at);
        override.levels.set(level, read.level);
        if ((flags & 0x10) !== 0) override.starts.set(level, read.level.start);
        at = read.end;
      }
    }
  }
}
