import {
  BOUNDARY,
  BREAKS,
  ElementSet,
  ENDS_PARAGRAPH,
  elementNumber,
  flagsOf,
  HEADING,
  NO_TEXT,
  TABLE,
} from './names/content-elements.ts';

const A = elementNumber('a');
const DD = elementNumber('dd');
const DT = elementNumber('dt');
const LI = elementNumber('li');
const P = elementNumber('p');
const TABLE_ELEMENT = elementNumber('table');
const TD = elementNumber('td');
const TH = elementNumber('th');
const TR = elementNumber('tr');
const SECTIONS = new ElementSet('tbody thead tfoot caption');
const LISTS = new ElementSet('ul ol dl menu dir');

/**
 * The stack of open elements: which end where, by their tags or by what starts after them. The rules are those of the HTML
 * standard in short: formatting elements that cross blocks are not split, and their end tags inside blocks mean nothing.
 */
export class OpenElements {
  readonly #rows: number[] = [];
  readonly #numbers: number[] = [];
  /** How many elements of each number are open: most end tags without an element are known by it at once. */
  readonly #counts: number[] = [];
  readonly #closed: (row: number, number: number) => void;

  /** `closed` is told of each element that ends, innermost first. */
  constructor(closed: (row: number, number: number) => void) {
    this.#closed = closed;
  }

  get depth(): number {
    return this.#rows.length;
  }

  get top(): number {
    return this.#rows[this.#rows.length - 1];
  }

  push(row: number, number: number): void {
    this.#rows.push(row);
    this.#numbers.push(number);
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
  }

  isOpen(number: number): boolean {
    return (this.#counts[number] ?? 0) > 0;
  }

  /** Row of the innermost element that breaks lines. */
  holder(): number {
    let place = this.#rows.length - 1;
    while (place > 0 && (flagsOf(this.#numbers[place]) & BREAKS) === 0) place--;
    return this.#rows[place];
  }

  /** Ends what may not go on when this element starts. */
  closeImplied(number: number, flags: number): void {
    if ((flags & ENDS_PARAGRAPH) !== 0 && this.isOpen(P)) this.close(P);
    if ((flags & HEADING) !== 0) {
      if ((flagsOf(this.#numbers[this.#numbers.length - 1]) & HEADING) !== 0) this.popTo(this.#rows.length - 1);
    } else if (number === LI) this.#closeItem(LI, LI);
    else if (number === DD || number === DT) this.#closeItem(DD, DT);
    else if ((flags & TABLE) !== 0 && number !== TABLE_ELEMENT) this.#closeTableParts(number);
  }

  /** Ends the element that an end tag of this name means, if any. */
  close(number: number): void {
    const flags = flagsOf(number);
    const last = this.#numbers.length - 1;
    // Nearly every end tag is that of the innermost element.
    if (last > 0 && this.#numbers[last] === number) this.popTo(last);
    else if ((flags & HEADING) !== 0) this.#closeHeading();
    else if (!this.isOpen(number)) return;
    else if ((flags & TABLE) !== 0) this.#closeInTable(number);
    else this.#closeInside(number, (flags & (BREAKS | NO_TEXT)) !== 0 ? BOUNDARY : BREAKS | BOUNDARY);
  }

  /** A link ends where the next begins, unless a block is open in it. */
  closeLink(): void {
    if (this.isOpen(A)) this.close(A);
  }

  popTo(place: number): void {
    while (this.#rows.length > place) {
      const row = this.#rows.pop() as number;
      const number = this.#numbers.pop() as number;
      this.#counts[number]--;
      this.#closed(row, number);
    }
  }

  // Each search for the element that is meant has a loop of its own: functions in place of them would be made for each tag.

  /** Ends the innermost element of this number, unless one with any of these flags is open in it. */
  #closeInside(number: number, stops: number): void {
    for (let place = this.#numbers.length - 1; place > 0; place--) {
      const open = this.#numbers[place];
      if (open === number) {
        this.popTo(place);
        return;
      }
      if ((flagsOf(open) & stops) !== 0) return;
    }
  }

  #closeInTable(number: number): void {
    for (let place = this.#numbers.length - 1; place > 0; place--) {
      const open = this.#numbers[place];
      if (open === number) {
        this.popTo(place);
        return;
      }
      if (open === TABLE_ELEMENT) return;
    }
  }

  #closeHeading(): void {
    for (let place = this.#numbers.length - 1; place > 0; place--) {
      const flags = flagsOf(this.#numbers[place]);
      if ((flags & HEADING) !== 0) {
        this.popTo(place);
        return;
      }
      if ((flags & BOUNDARY) !== 0) return;
    }
  }

  /** An item of a list ends the one before it, but not one in which a list of its own is open. */
  #closeItem(one: number, other: number): void {
    if (!this.isOpen(one) && !this.isOpen(other)) return;
    for (let place = this.#numbers.length - 1; place > 0; place--) {
      const open = this.#numbers[place];
      if (open === one || open === other) {
        this.popTo(place);
        return;
      }
      if (LISTS.has(open) || (flagsOf(open) & BOUNDARY) !== 0) return;
    }
  }

  /** A cell ends the cell before it, a row also the row, a section also the section: of the innermost table. */
  #closeTableParts(number: number): void {
    const isCell = number === TD || number === TH;
    let found = -1;
    for (let place = this.#numbers.length - 1; place > 0; place--) {
      const open = this.#numbers[place];
      if (open === TABLE_ELEMENT) break;
      const ends =
        open === TD || open === TH || (!isCell && open === TR) || (!isCell && number !== TR && SECTIONS.has(open));
      if (ends) found = place;
    }
    if (found > 0) this.popTo(found);
  }
}
