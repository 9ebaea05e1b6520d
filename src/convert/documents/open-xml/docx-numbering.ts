import { numberText } from '../compound/doc/doc-number-text.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

interface Level {
  start: number;
  /** As in the binary format of Word. */
  format: number;
  /** All numbers as digits, as laws have it. */
  legal: boolean;
  /** It counts on under a higher level from this one. */
  restartsBelow: number;
  /** "%1.%2" stands for the numbers of the first two levels. */
  text: string;
}

interface List {
  readonly levels: Map<number, Level>;
  /** Levels that a style stands for. */
  readonly styles: Map<string, number>;
  readonly counters: (number | undefined)[];
}

interface Use {
  list: string;
  readonly starts: Map<number, number>;
  readonly levels: Map<number, Level>;
}

const FORMATS: ReadonlyMap<string, number> = new Map([
  ['decimal', 0],
  ['upperRoman', 1],
  ['lowerRoman', 2],
  ['upperLetter', 3],
  ['lowerLetter', 4],
  ['ordinal', 5],
  ['decimalZero', 22],
  ['bullet', 23],
  ['none', 255],
]);
const BULLET = 23;
const LEVELS = 9;
const MAX_LISTS = 10_000;

/** The lists of a DOCX, read from the part with the numbering; counts while the paragraphs are read in order. */
export class DocxNumbering implements XmlHandler {
  readonly #lists = new Map<string, List>();
  readonly #uses = new Map<string, Use>();
  readonly #started = new Set<string>();
  #list: List | undefined;
  #use: Use | undefined;
  #level: Level | undefined;
  #levelAt = 0;

  open(tag: XmlTag): boolean {
    switch (tag.name) {
      case 'abstractNum':
        this.#list = { levels: new Map(), styles: new Map(), counters: [] };
        if (this.#lists.size < MAX_LISTS) this.#lists.set(tag.get('abstractNumId') ?? '', this.#list);
        break;
      case 'num':
        this.#use = { list: '', starts: new Map(), levels: new Map() };
        if (this.#uses.size < MAX_LISTS) this.#uses.set(tag.get('numId') ?? '', this.#use);
        break;
      case 'abstractNumId':
        if (this.#use !== undefined) this.#use.list = tag.get('val') ?? '';
        break;
      case 'lvlOverride':
        this.#levelAt = levelOf(tag);
        break;
      case 'startOverride':
        this.#use?.starts.set(this.#levelAt, Number(tag.get('val')) || 0);
        break;
      case 'lvl':
        this.#levelAt = levelOf(tag);
        this.#level = { start: 0, format: 0, legal: false, restartsBelow: LEVELS, text: '' };
        (this.#use ?? this.#list)?.levels.set(this.#levelAt, this.#level);
        break;
      case 'rPr':
        return false;
      default:
        if (this.#level !== undefined) this.#readLevel(this.#level, tag);
    }
    return true;
  }

  #readLevel(level: Level, tag: XmlTag): void {
    const value = tag.get('val') ?? '';
    if (tag.name === 'start') level.start = Number(value) || 0;
    else if (tag.name === 'numFmt') level.format = FORMATS.get(value) ?? 0;
    else if (tag.name === 'isLgl') level.legal = value !== '0' && value !== 'false';
    else if (tag.name === 'lvlRestart') level.restartsBelow = Number(value);
    else if (tag.name === 'lvlText') level.text = value.slice(0, 255);
    else if (tag.name === 'pStyle' && this.#use === undefined) this.#list?.styles.set(value, this.#levelAt);
  }

  close(name: string): void {
    if (name === 'abstractNum') this.#list = undefined;
    else if (name === 'num') this.#use = undefined;
    else if (name === 'lvl') this.#level = undefined;
  }

  text(): void {}

  /** Counts one more paragraph of a list and tells its number as it is shown; '' for bullets and unknown lists. */
  next(id: string, ownLevel: number | undefined, style: string): string {
    const use = this.#uses.get(id);
    const list = use === undefined ? undefined : this.#lists.get(use.list);
    if (use === undefined || list === undefined) return '';
    const level = Math.min(ownLevel ?? list.styles.get(style) ?? 0, LEVELS - 1);
    const levelAt = (at: number): Level | undefined => use.levels.get(at) ?? list.levels.get(at);
    const startAt = (at: number): number => use.starts.get(at) ?? levelAt(at)?.start ?? 1;
    const { counters } = list;
    // A use that says where to start begins again the first time.
    const isFirst = use.starts.has(level) && !this.#started.has(`${id} ${level}`);
    this.#started.add(`${id} ${level}`);
    const count = counters[level];
    counters[level] = isFirst || count === undefined ? startAt(level) : count + 1;
    for (let at = 0; at < level; at++) counters[at] ??= startAt(at);
    for (let at = level + 1; at < LEVELS; at++)
      if (level < (levelAt(at)?.restartsBelow ?? LEVELS)) counters[at] = undefined;
    const shown = levelAt(level);
    if (shown === undefined || shown.format === BULLET) return '';
    return shown.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return numberText(counters[at] ?? startAt(at), shown.legal ? 0 : (levelAt(at)?.format ?? 0));
    });
  }
}

function levelOf(tag: XmlTag): number {
  const level = Number(tag.get('ilvl'));
  return level >= 0 && level < LEVELS ? Math.trunc(level) : 0;
}
