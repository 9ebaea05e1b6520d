import { measureProcessorTime } from '../../base/processor-time.ts';
import type {
  ExtractedSet,
  FieldRule,
  FieldValue,
  RowFields,
  SingleValue,
} from '../../contracts/content/extraction-rules.ts';
import { BoundedCall, TimeIsUp } from './bounded-call.ts';
import type { CompiledField, CompiledSet, RulePlace } from './compile-rules.ts';
import { attributeOf, buildTree, elementsBelow, type PageNode, PageTooLarge } from './page-tree.ts';
import { typedValue } from './typed-value.ts';

/** Rows of one set on one page, and values of one field: a page with more is a trap, or a rule too wide. */
const MOST_ROWS = 10_000;
const MOST_VALUES = 1000;
/** Of all rows of a page, in characters: they cross threads, and are written in one transaction. */
const MOST_CHARACTERS = 4 * 2 ** 20;

export interface RulePage {
  readonly url: string;
  /** Decoded. */
  readonly html: string;
}

/** What one field came to, for who tries a rule. */
export interface TriedField {
  readonly field: string;
  /** How many places the selector selected, in all rows. */
  readonly selected: number;
  /** Some of what was found, before types. */
  readonly texts: readonly string[];
  readonly value: FieldValue;
  /** Why there is no value, or why a row was left out. */
  readonly why?: string;
}

export interface TriedSet extends ExtractedSet {
  readonly tried: readonly TriedField[];
}

/** Tries sets of rules on pages, in bounded time. Pure: the same page and rules give the same rows, unless the time is over. */
export class RuleEvaluator {
  readonly #bounded = new BoundedCall();
  readonly #maxMs: number;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /** Never throws, whatever the page. */
  evaluate(sets: readonly CompiledSet[], page: RulePage): ExtractedSet[] {
    return this.try(sets, page).map(({ tried: _, ...extracted }) => extracted);
  }

  /** The same, with what each field found. A set that does not end in time does not keep the others from being tried. */
  try(sets: readonly CompiledSet[], { url, html }: RulePage): TriedSet[] {
    let root: PageNode | undefined;
    let unreadable: string | undefined;
    const used = measureProcessorTime();
    return sets.map((set) => {
      const failed = (problem: string): TriedSet => ({ set: set.rules.name, rows: [], found: [], tried: [], problem });
      if (unreadable !== undefined) return failed(unreadable);
      const leftMs = Math.ceil(this.#maxMs - used());
      if (leftMs <= 0) return failed(`${tooSlow(this.#maxMs)}, with the sets before`);
      try {
        return this.#bounded.run(() => {
          const tree = root ?? buildTree(html);
          root = tree;
          return trySet(set, tree, html, url);
        }, leftMs);
      } catch (error) {
        const problem = problemOf(error, this.#maxMs);
        if (root === undefined) unreadable = problem;
        return failed(problem);
      }
    });
  }
}

function tooSlow(maxMs: number): string {
  return `the rules took more than ${maxMs} ms (extract-time)`;
}

function problemOf(error: unknown, maxMs: number): string {
  if (error instanceof TimeIsUp) return tooSlow(maxMs);
  if (error instanceof PageTooLarge) return error.message;
  if (error instanceof RangeError) return `it is nested too deeply, or too large (${error.message})`;
  return error instanceof Error ? error.message.split('\n', 1)[0].slice(0, 300) : String(error);
}

function trySet(set: CompiledSet, page: PageNode, source: string, url: string): TriedSet {
  const { rules, fields } = set;
  const items = set.each?.(page);
  const places: RulePlace[] = (items ?? [page]).slice(0, MOST_ROWS).map((node) => ({ page, node, source }));
  const resolve = resolver(page, url);
  const tried = fields.map(({ rule }) => ({
    field: rule.name,
    selected: 0,
    texts: [] as string[],
    value: null as FieldValue,
    why: '',
  }));
  const rows: RowFields[] = [];
  const found = new Set<string>(items === undefined || items.length === 0 ? [] : ['each']);
  let characters = 0;
  for (const place of places) {
    const row: Record<string, FieldValue> = {};
    let isWhole = true;
    for (const [at, field] of fields.entries()) {
      const one = readField(field, place, resolve);
      const told = tried[at];
      told.selected += one.selected;
      if (told.texts.length < 5) told.texts.push(...one.texts.slice(0, 5).map((text) => text.slice(0, 200)));
      if (one.isFound) found.add(field.rule.name);
      if (told.value === null) told.value = one.value;
      if (one.why !== undefined && told.why === '') told.why = one.why;
      row[field.rule.name] = one.value;
      if (one.value === null && field.rule.required) isWhole = false;
      characters += lengthOf(one.value);
    }
    if (characters > MOST_CHARACTERS)
      throw new PageTooLarge(`its rows have more than ${MOST_CHARACTERS / 2 ** 20} MiB`);
    if (isWhole) rows.push(row);
  }
  const none =
    items !== undefined && items.length === 0 ? `each (${rules.each?.expression}) selects nothing` : undefined;
  return {
    set: rules.name,
    rows,
    found: [...found],
    tried: tried.map(({ why, ...rest }) => {
      const reason = none ?? (why === '' ? undefined : why);
      return reason === undefined ? rest : { ...rest, why: reason };
    }),
    ...((items?.length ?? 0) > MOST_ROWS ? { problem: `each selects ${items?.length}, more than ${MOST_ROWS}` } : {}),
  };
}

interface ReadField {
  readonly value: FieldValue;
  readonly selected: number;
  readonly texts: readonly string[];
  /** By the page, not by its default. */
  readonly isFound: boolean;
  readonly why?: string;
}

function readField(
  field: CompiledField,
  place: RulePlace,
  resolve: (reference: string) => string | undefined,
): ReadField {
  const { rule } = field;
  const selected = field.select(place);
  const texts: string[] = [];
  const values: SingleValue[] = [];
  for (const text of selected) {
    for (const matched of field.match(readable(text, rule))) {
      const clean = rule.trim ? trimmed(matched, rule.take) : matched;
      texts.push(clean);
      const value = typedValue(clean, rule.type, resolve);
      if (value !== undefined) values.push(value);
      if (values.length >= (rule.many ? MOST_VALUES : 1)) break;
    }
    if (values.length >= (rule.many ? MOST_VALUES : 1)) break;
  }
  const isFound = values.length > 0;
  const usual = rule.default ?? null;
  const value = rule.many ? (isFound ? values : usual === null ? null : [usual]) : isFound ? values[0] : usual;
  const why = isFound ? undefined : whyNone(field, selected.length, texts);
  return { value, selected: selected.length, texts, isFound, ...(why === undefined ? {} : { why }) };
}

function whyNone({ rule }: CompiledField, selected: number, texts: readonly string[]): string {
  const { selector, attribute, regex, type } = rule;
  const left = rule.required ? '; the field is required, so the row is left out' : '';
  if (selected === 0) {
    const what =
      selector === undefined ? 'the page is empty' : `${selector.kind} ${selector.expression} selects nothing`;
    return `${what}${attribute === undefined ? '' : ` with the attribute ${attribute}`}${left}`;
  }
  if (texts.length === 0) return `the regular expression ${regex?.source} matches nothing of what was selected${left}`;
  const seen = JSON.stringify(texts[0].slice(0, 80));
  return `${texts[0] === '' ? 'what was selected is empty' : `${seen} is no ${type}`}${left}`;
}

/** What a regular expression looks at: texts begin where they seem to begin. That of a whole page keeps its lines. */
function readable(text: string, { regex, selector, take, trim }: FieldRule): string {
  if (regex === undefined || take === 'markup' || !trim) return text;
  if (selector !== undefined) return trimmed(text, take);
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** Text loses its line breaks; markup only what is around it. */
function trimmed(text: string, take: 'text' | 'markup'): string {
  return take === 'markup' ? text.trim() : text.replace(/\s+/g, ' ').trim();
}

function lengthOf(value: FieldValue): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + lengthOf(one), 0) : 8;
}

/** Against the base of the page. Addresses of scripts are none. */
function resolver(page: PageNode, url: string): (reference: string) => string | undefined {
  let base: string | undefined;
  return (reference) => {
    base ??= baseOf(page, url);
    const resolved = URL.parse(reference, base)?.href;
    return resolved === undefined || /^(?:javascript|data|vbscript):/i.test(resolved) ? undefined : resolved;
  };
}

function baseOf(page: PageNode, url: string): string {
  for (const element of elementsBelow(page)) {
    if (element.localName === 'body') break;
    const href = element.localName === 'base' ? attributeOf(element, 'href') : undefined;
    if (href !== undefined) return URL.parse(href, url)?.href ?? url;
  }
  return url;
}
