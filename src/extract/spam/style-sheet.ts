import { areAlike, TRANSPARENT } from './colour.ts';
import { hidesByItself, type Looks, readLooks } from './looks.ts';
import { type Compound, fits, readSelector, type StyledElement } from './selector.ts';

interface WrittenRule {
  readonly selectors: string;
  readonly looks: Looks;
}

interface Rule {
  readonly target: Compound;
  /** What must stand around the element, the innermost first; `>` is read as "somewhere inside". */
  readonly around: readonly Compound[];
  readonly specificity: number;
  readonly looks: Looks;
}

const MOST_RULES = 3000;
/** Pages with longer sheets carry the design of a large site: to understand them costs more than they would tell. */
const LONGEST_SHEETS = 8_192;
/** Comparisons of an element with a rule; a page that needs more is left alone from there on. */
const MOST_COMPARISONS = 3000;

/**
 * The part of the style sheets in a page that decides what is seen. States of the mouse, generated content, other media
 * than screens and selectors by attribute are left out: a rule that is not understood hides nothing.
 *
 * Sheets have thousands of rules and nearly none of them hides anything. So elements are first held against those that may
 * (`mayHide`); only where one fits, or somebody else has doubts, all rules are looked at (`looksOf`).
 */
export class StyleSheet {
  readonly #written: WrittenRule[] = [];
  readonly #hiding: RuleIndex;
  #all: RuleIndex | undefined;
  #partial = false;
  #length = 0;
  #laysGround = false;
  readonly #effort = { left: MOST_COMPARISONS };

  constructor() {
    this.#hiding = new RuleIndex(this.#effort);
  }

  /** Rules that set a ground were not understood. */
  get isPartial(): boolean {
    return this.#partial;
  }

  /** Neither hides a rule anything, nor lays one a ground. */
  get isEmpty(): boolean {
    return this.#hiding.size === 0 && !this.#laysGround;
  }

  add(css: string): void {
    this.#length += css.length;
    if (this.#length <= LONGEST_SHEETS) this.#read(css, 0, css.length);
    else this.#partial = true;
  }

  /** To be called when all sheets are read. */
  settle(): void {
    if (this.#length > LONGEST_SHEETS) return;
    const grounds = new Set<number>([0xffffff]);
    for (const { looks } of this.#written) if (looks.background !== undefined) grounds.add(looks.background);
    this.#laysGround = grounds.size > 1;
    const faint = new Map<number, boolean>();
    const isFaint = (colour: number): boolean => {
      let known = faint.get(colour);
      if (known === undefined) {
        known = colour === TRANSPARENT || [...grounds].some((ground) => areAlike(colour, ground));
        faint.set(colour, known);
      }
      return known;
    };
    for (const { selectors, looks } of this.#written) {
      if (!hidesByItself(looks) && (looks.colour === undefined || !isFaint(looks.colour))) continue;
      this.#hiding.add(selectors, looks);
      if (this.#hiding.size > MOST_RULES) return;
    }
  }

  /** Whether a rule that may hide fits. */
  mayHide(element: StyledElement, around: readonly StyledElement[], depth: number): boolean {
    return this.#hiding.size > 0 && this.#effort.left > 0 && this.#hiding.fitting(element, around, depth).length > 0;
  }

  /** Everything the sheets say of an element, the more specific rule over the less specific one. */
  looksOf(element: StyledElement, around: readonly StyledElement[], depth: number): Looks | undefined {
    if (this.#effort.left <= 0) return undefined;
    if (this.#all === undefined) {
      this.#all = new RuleIndex(this.#effort);
      for (const { selectors, looks } of this.#written) {
        this.#all.add(selectors, looks);
        if (this.#all.size > MOST_RULES) break;
      }
    }
    const rules = this.#all.fitting(element, around, depth);
    if (rules.length <= 1) return rules[0]?.looks;
    const sorted = [...rules].sort((a, b) => a.specificity - b.specificity);
    return Object.assign({}, ...sorted.map((rule) => rule.looks));
  }

  #read(css: string, start: number, end: number): void {
    let at = start;
    while (at < end) {
      const open = css.indexOf('{', at);
      if (open === -1 || open >= end) return;
      const past = commentAround(css, at, open);
      if (past > open) {
        at = past;
        continue;
      }
      const head = headStart(css, at, open);
      if (css.charCodeAt(head) === AT) {
        const close = blockEnd(css, open, end);
        const condition = css.slice(head, open).toLowerCase();
        if (/^@(?:supports|layer|media\s+(?:only\s+)?(?:screen|all)?\s*$)/.test(condition))
          this.#read(css, open + 1, close);
        else if (condition.startsWith('@media') && !condition.includes('print')) this.#partial = true;
        at = close + 1;
        continue;
      }
      let close = css.indexOf('}', open);
      if (close === -1 || close > end) close = end;
      const looks = readLooks(css, open + 1, close);
      if (looks !== undefined) {
        const selectors = css.slice(head, open);
        this.#written.push({ selectors, looks });
        if (looks.background !== undefined && UNREADABLE.test(selectors)) this.#partial = true;
      }
      at = close + 1;
    }
  }
}

/** Selectors that are passed over, but for the states of the mouse, which change nothing for who only looks. */
const UNREADABLE = /[[\]+~\\]|:(?!hover|focus|active|visited|link|:?before|:?after)/;

const NONE: readonly Rule[] = [];
/** In place of the name of an element. */
const ANY = '*';
const MOST_CLASSES = 2000;

/** Rules by what their target must have: an id, a class or a name. */
class RuleIndex {
  readonly #byName = new Map<string, Rule[]>();
  readonly #byId = new Map<string, Rule[]>();
  readonly #byClass = new Map<string, Rule[]>();
  /** Rules for each list of classes that was met: a page has few different ones. */
  readonly #byClasses = new Map<string, readonly Rule[]>();
  size = 0;
  readonly #effort: { left: number };

  constructor(effort: { left: number }) {
    this.#effort = effort;
  }

  add(selectors: string, looks: Looks): void {
    for (const selector of selectors.split(',')) {
      const compounds = readSelector(selector);
      if (compounds === undefined) continue;
      const [target, ...around] = compounds;
      const specificity = compounds.reduce(
        (sum, { id, classes, name }) => sum + (id === '' ? 0 : 10_000) + 100 * classes.length + (name === '' ? 0 : 1),
        0,
      );
      const rule: Rule = { target, around, specificity, looks };
      if (target.id !== '') put(this.#byId, target.id, rule);
      else if (target.classes.length > 0) put(this.#byClass, target.classes[0], rule);
      else put(this.#byName, target.name || ANY, rule);
      this.size++;
    }
  }

  fitting(element: StyledElement, around: readonly StyledElement[], depth: number): readonly Rule[] {
    let found = this.#fittingOf(this.#byName.get(element.name), element, around, depth, NONE);
    found = this.#fittingOf(this.#byName.get(ANY), element, around, depth, found);
    if (element.id !== '') found = this.#fittingOf(this.#byId.get(element.id), element, around, depth, found);
    if (this.#byClass.size === 0 || element.classes === '') return found;
    return this.#fittingOf(this.#ofClasses(element.classes), element, around, depth, found);
  }

  #fittingOf(
    rules: readonly Rule[] | undefined,
    element: StyledElement,
    around: readonly StyledElement[],
    depth: number,
    before: readonly Rule[],
  ): readonly Rule[] {
    if (rules === undefined || rules.length === 0) return before;
    const fitting = rules.filter((rule) => matches(rule, element, around, depth, this.#effort));
    return before.length === 0 ? fitting : [...before, ...fitting];
  }

  #ofClasses(classes: string): readonly Rule[] {
    const known = this.#byClasses.get(classes);
    if (known !== undefined) return known;
    const rules: Rule[] = [];
    let start = 0;
    for (let at = 0; at <= classes.length; at++) {
      if (at < classes.length && classes.charCodeAt(at) > 0x20) continue;
      if (at > start) rules.push(...(this.#byClass.get(classes.slice(start, at)) ?? NONE));
      start = at + 1;
    }
    if (this.#byClasses.size < MOST_CLASSES) this.#byClasses.set(classes, rules);
    return rules;
  }
}

function put(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const before = rules.get(key);
  if (before === undefined) rules.set(key, [rule]);
  else before.push(rule);
}

function matches(
  rule: Rule,
  element: StyledElement,
  around: readonly StyledElement[],
  depth: number,
  effort: { left: number },
): boolean {
  effort.left--;
  if (!fits(rule.target, element)) return false;
  let outer = depth;
  for (const wanted of rule.around) {
    do {
      if (--outer < 0) return false;
      effort.left--;
    } while (!fits(wanted, around[outer]));
  }
  return effort.left > 0;
}

/** Where the comment ends in which the bracket at `open` stands; 0 where it stands in none. */
function commentAround(css: string, from: number, open: number): number {
  let comment = css.slice(from, open).indexOf('/*');
  while (comment !== -1) {
    const end = css.indexOf('*/', from + comment + 2);
    if (end === -1) return css.length;
    if (end > open) return end + 2;
    const next = css.slice(end + 2, open).indexOf('/*');
    comment = next === -1 ? -1 : end + 2 - from + next;
  }
  return 0;
}

/** Where the selector begins: after blanks, comments, closing brackets and statements such as `@import`. */
function headStart(css: string, from: number, open: number): number {
  let at = from;
  for (;;) {
    while (at < open && (css.charCodeAt(at) <= 0x20 || css.charCodeAt(at) === CLOSE)) at++;
    if (css.startsWith('/*', at)) {
      const end = css.indexOf('*/', at + 2);
      if (end === -1 || end >= open) return open;
      at = end + 2;
    } else if (css.startsWith('<!--', at)) {
      at += 4;
    } else if (css.charCodeAt(at) === AT) {
      const statement = css.indexOf(';', at);
      if (statement === -1 || statement > open) return at;
      at = statement + 1;
    } else return at;
  }
}

/** The bracket that closes the block opened at `open`. */
function blockEnd(css: string, open: number, end: number): number {
  let depth = 0;
  let at = open;
  while (at !== -1 && at < end) {
    if (css.charCodeAt(at) === OPEN) depth++;
    else if (--depth === 0) return at;
    const close = css.indexOf('}', at + 1);
    if (close === -1) return end;
    const inner = css.indexOf('{', at + 1);
    at = inner === -1 || inner > close ? close : inner;
  }
  return end;
}

const AT = 0x40;
const OPEN = 0x7b;
const CLOSE = 0x7d;
