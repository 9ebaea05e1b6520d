import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { OrbweaverError } from '../../base/errors.ts';
import { unmarkedRules } from '../../base/settings/rules-text.ts';
import { nearestName } from '../../base/settings/setting-names.ts';
import type {
  FieldRule,
  FieldType,
  RuleSelector,
  RuleSet,
  SingleValue,
} from '../../contracts/content/extraction-rules.ts';
import { compileEach, compileField } from './compile-rules.ts';
import { typedValue } from './typed-value.ts';

const NAME = /^\p{L}[\p{L}\p{N}_-]{0,62}$/u;
/** Columns that every row has. */
const TAKEN = new Set(['set', 'url', 'time', 'firstSeen', 'changed', 'gone', 'constructor', '__proto__']);
const TYPES: readonly FieldType[] = ['text', 'number', 'integer', 'date', 'boolean', 'url'];
const SET_KEYS = ['match', 'each', 'each-xpath', 'key', 'fields'];
const FIELD_KEYS = [
  ...['css', 'xpath', 'json-ld', 'regex', 'flags', 'attribute', 'take', 'many', 'type', 'trim', 'default', 'required'],
];
const REMEDY =
  'docs/extraction-rules.md shows how rules are written; orbweaver inspect extract URL tries them on a page.';

/**
 * Reads rules as users write them, in YAML or JSON, and checks every selector and expression. Throws RULES_INVALID with the line of
 * each mistake. `checkPattern` throws where a URL pattern cannot be used.
 */
export async function parseRules(given: string, checkPattern: (pattern: string) => void): Promise<RuleSet[]> {
  const { text, file = 'The rules', line } = unmarkedRules(given);
  // Loaded only here: most crawls have no rules.
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const reader = new RulesReader({ yaml, document, lines, file, firstLine: line, checkPattern });
  for (const { pos, message } of document.errors) reader.wrongAt(pos[0], message);
  const sets = document.errors.length > 0 ? [] : reader.sets();
  if (reader.problems.length > 0)
    throw new OrbweaverError('RULES_INVALID', reader.problems.join('\n'), { remedy: REMEDY });
  return sets;
}

interface ReaderParts {
  readonly yaml: typeof import('yaml');
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly file: string;
  readonly firstLine: number;
  readonly checkPattern: (pattern: string) => void;
}

interface Entry {
  readonly key: string;
  readonly keyNode: Node;
  readonly value: Node | null;
}

class RulesReader {
  readonly problems: string[] = [];
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  wrongAt(offset: number, what: string): void {
    const { lines, file, firstLine } = this.#parts;
    this.problems.push(`${file}, line ${lines.linePos(offset).line + firstLine - 1}: ${what}`);
  }

  sets(): RuleSet[] {
    const { document } = this.#parts;
    const sets = this.#entries(document.contents, 'Rules are named sets, such as "products:", each with "fields:".');
    return sets.flatMap((entry) => this.#set(entry) ?? []);
  }

  #set({ key: name, keyNode, value }: Entry): RuleSet | undefined {
    if (!NAME.test(name))
      this.#wrong(keyNode, `${JSON.stringify(name)} is no name for a set: letters, digits, - and _.`);
    const entries = this.#entries(
      value ?? keyNode,
      `The set ${name} needs "fields:", and may have "match:" and "each:".`,
    );
    this.#knownKeys(entries, SET_KEYS, `the set ${name}`);
    const by = new Map(entries.map((entry) => [entry.key, entry]));
    const match = this.#match(by.get('match'));
    const each = this.#each(by.get('each'), by.get('each-xpath'));
    const listed = by.get('fields');
    if (listed === undefined) {
      if (entries.length > 0) this.#wrong(keyNode, `The set ${name} has no fields.`);
      return undefined;
    }
    const fields = this.#entries(
      listed.value ?? listed.keyNode,
      'Fields are names with a selector each: "title: h1".',
    ).flatMap((entry) => this.#field(name, entry) ?? []);
    const keyEntry = by.get('key');
    const key = keyEntry === undefined ? undefined : this.#textOf(keyEntry);
    if (keyEntry !== undefined && key !== undefined && !fields.some((field) => field.name === key))
      this.#wrong(keyEntry.value ?? keyEntry.keyNode, `The key of ${name} is ${key}, which is none of its fields.`);
    return { name, match, fields, ...(each === undefined ? {} : { each }), ...(key === undefined ? {} : { key }) };
  }

  #match(entry: Entry | undefined): string[] {
    if (entry === undefined) return [];
    const raw = this.#plain(entry.value);
    const patterns = Array.isArray(raw) ? raw : [raw];
    return patterns.flatMap((pattern) => {
      try {
        if (typeof pattern !== 'string' || pattern.trim() === '')
          throw new Error('match takes one URL pattern, or a list of them.');
        this.#parts.checkPattern(pattern);
        return [pattern];
      } catch (error) {
        this.#wrong(entry.value ?? entry.keyNode, messageOf(error));
        return [];
      }
    });
  }

  #each(css: Entry | undefined, xpath: Entry | undefined): RuleSelector | undefined {
    const entry = css ?? xpath;
    if (entry === undefined) return undefined;
    if (css !== undefined && xpath !== undefined) this.#wrong(css.keyNode, 'Give each or each-xpath, not both.');
    const expression = this.#textOf(entry);
    if (expression === undefined) return undefined;
    const selector: RuleSelector = { kind: css === undefined ? 'xpath' : 'css', expression };
    this.#checked(entry, () => compileEach(selector), `${entry.key} ${expression} cannot be used`);
    return selector;
  }

  #field(set: string, { key: name, keyNode, value }: Entry): FieldRule | undefined {
    const wrong = (what: string, node: Node | null = value): void =>
      this.#wrong(node ?? keyNode, `${set}.${name}: ${what}`);
    if (!NAME.test(name)) wrong('a field has a name of letters, digits, - and _.', keyNode);
    if (TAKEN.has(name)) wrong('every row has a column of this name already; choose another.', keyNode);
    const { yaml } = this.#parts;
    const entries: Entry[] =
      yaml.isScalar(value) && typeof value.value === 'string'
        ? [{ key: 'css', keyNode: value, value }]
        : this.#entries(
            value ?? keyNode,
            `${set}.${name} takes a CSS selector, or several lines such as "xpath: //h1".`,
          );
    if (entries.length === 0) return undefined;
    this.#knownKeys(entries, FIELD_KEYS, `the field ${name}`);
    const by = new Map(entries.map((entry) => [entry.key, entry]));
    const text = (key: string): string | undefined => {
      const entry = by.get(key);
      return entry === undefined ? undefined : this.#textOf(entry);
    };
    const truth = (key: string, usual: boolean): boolean => {
      const entry = by.get(key);
      const raw = entry === undefined ? usual : this.#plain(entry.value);
      if (typeof raw !== 'boolean') wrong(`${key} takes true or false.`, entry?.value);
      return raw === true;
    };
    const kinds = (['css', 'xpath', 'json-ld'] as const).filter((kind) => by.has(kind));
    if (kinds.length > 1) wrong(`give one of ${kinds.join(' and ')}.`);
    if (kinds.length === 0 && !by.has('regex')) wrong('it needs css, xpath, json-ld or regex.');
    const [kind] = kinds;
    const expression = kind === undefined ? undefined : text(kind);
    const source = text('regex');
    const flags = text('flags') ?? 'u';
    if (!/^[imsuv]*$/.test(flags)) wrong('flags takes letters of i, m, s, u, v.', by.get('flags')?.value);
    const take = text('take') ?? 'text';
    if (take !== 'text' && take !== 'markup') wrong('take is text or markup.', by.get('take')?.value);
    const type = (text('type') ?? 'text') as FieldType;
    if (!TYPES.includes(type)) wrong(`type is one of ${TYPES.join(', ')}.`, by.get('type')?.value);
    const attribute = text('attribute')?.toLowerCase();
    if (attribute !== undefined && (kind === undefined || kind === 'json-ld'))
      wrong('attribute needs css or xpath.', by.get('attribute')?.value);
    if (kind === 'json-ld' && take === 'markup') wrong('JSON-LD has no markup.', by.get('take')?.value);
    const rule: FieldRule = {
      name,
      ...(kind === undefined || expression === undefined ? {} : { selector: { kind, expression } }),
      ...(source === undefined ? {} : { regex: { source, flags } }),
      ...(attribute === undefined ? {} : { attribute }),
      take: take === 'markup' ? 'markup' : 'text',
      many: truth('many', false),
      type,
      trim: truth('trim', true),
      required: truth('required', false),
      ...this.#default(by.get('default'), type, wrong),
    };
    for (const key of [kind, 'regex'] as const) {
      const entry = key === undefined ? undefined : by.get(key);
      if (entry !== undefined)
        this.#checked(
          entry,
          () => compileField(onlyOf(rule, key)),
          `${set}.${name}: ${key} ${this.#plain(entry.value)} cannot be used`,
        );
    }
    return rule;
  }

  #default(
    entry: Entry | undefined,
    type: FieldType,
    wrong: (what: string, node?: Node | null) => void,
  ): Pick<FieldRule, 'default'> {
    if (entry === undefined) return {};
    const raw = this.#plain(entry.value);
    const value: SingleValue | undefined = ['string', 'number', 'boolean'].includes(typeof raw)
      ? typedValue(String(raw), type, (reference) => URL.parse(reference)?.href)
      : undefined;
    // An empty text is a default like any other.
    if (value === undefined && raw !== '') wrong(`the default ${JSON.stringify(raw)} is no ${type}.`, entry.value);
    return value === undefined && raw !== '' ? {} : { default: value ?? '' };
  }

  #checked(entry: Entry, check: () => unknown, what: string): void {
    try {
      check();
    } catch (error) {
      this.#wrong(entry.value ?? entry.keyNode, `${what}: ${messageOf(error)}`);
    }
  }

  #knownKeys(entries: readonly Entry[], known: readonly string[], where: string): void {
    for (const { key, keyNode } of entries)
      if (!known.includes(key))
        this.#wrong(
          keyNode,
          `${where} has the line "${key}", which means nothing. The nearest is ${nearestName(key, known)}.`,
        );
  }

  #textOf({ key, keyNode, value }: Entry): string | undefined {
    const raw = this.#plain(value);
    if (typeof raw === 'string' && raw.trim() !== '') return raw;
    this.#wrong(value ?? keyNode, `${key} takes a text.`);
    return undefined;
  }

  #entries(node: Node | null, wanted: string): Entry[] {
    const { yaml, document } = this.#parts;
    const resolved = node !== null && yaml.isAlias(node) ? node.resolve(document) : node;
    if (!yaml.isMap(resolved)) {
      this.wrongAt(node?.range?.[0] ?? 0, wanted);
      return [];
    }
    return (resolved as YAMLMap<Node, Node | null>).items.map(({ key, value }: Pair<Node, Node | null>) => ({
      key: String(yaml.isScalar(key) ? key.value : ''),
      keyNode: key,
      value,
    }));
  }

  #plain(node: Node | null): unknown {
    return node === null ? null : node.toJS(this.#parts.document, { maxAliasCount: 100 });
  }

  #wrong(node: Node, what: string): void {
    this.wrongAt(node.range?.[0] ?? 0, what);
  }
}

/** So that what is wrong with the one is not told of the other. */
function onlyOf({ selector, regex, ...rule }: FieldRule, key: string | undefined): FieldRule {
  if (key === 'regex') return { ...rule, ...(regex === undefined ? {} : { regex }) };
  return { ...rule, ...(selector === undefined ? {} : { selector }) };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').trim().slice(0, 200) || 'it cannot be read';
}
