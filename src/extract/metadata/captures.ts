import type { Clue, Role } from './element-clues.ts';
import type { Field, Findings } from './findings.ts';

interface Capture {
  readonly element: string;
  readonly clue: Clue;
  /** What an attribute says in place of the text. */
  readonly written: string | undefined;
  readonly muted: boolean;
  /** The number of the outermost element of its kind that is open. */
  readonly group: number;
  /** Elements of the same name that are open, itself included. */
  depth: number;
  text: string;
  /** A part of it was taken as what it is about, so that the whole is not. */
  answered: boolean;
}

interface Muted {
  readonly element: string;
  depth: number;
}

/** Between lines of a byline, and between parts of a heading: characters that no page holds. */
export const LINE = '\u2028';
export const PART = '\u2029';

const MAX_OPEN = 12;
const MAX_MUTED = 32;
/** Longer texts are no names, dates or headlines. */
const MAX_TEXT = 600;
/** What stands in navigation, comments and teasers is believed only where nothing else is said. */
const MUTED_LESS = 45;

const FIELDS: Readonly<Record<Role, Field>> = {
  title: 'title',
  author: 'author',
  published: 'published',
  modified: 'modified',
  date: 'published',
  tag: 'tag',
  tags: 'tag',
  category: 'category',
  categories: 'category',
  siteName: 'siteName',
  banner: 'banner',
};

/**
 * The elements whose text is being gathered, and the parts of the page that are about something else. Elements are told
 * apart by name and count alone: a forgotten end tag makes a text longer, and too long a text is dropped.
 */
export class Captures {
  readonly #findings: Findings;
  #captures: Capture[] = [];
  #groups = 0;
  readonly #muted: Muted[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get open(): boolean {
    return this.#captures.length > 0;
  }

  /** No text is gathered, and nothing is passed over. */
  get isIdle(): boolean {
    return this.#captures.length === 0 && this.#muted.length === 0;
  }

  /** Begins to gather the text of the element whose start tag is at hand; `written` takes its place. */
  take(element: string, clue: Clue, written?: string): void {
    if (this.#captures.length >= MAX_OPEN) return;
    const muted = this.#muted.length > 0;
    const group =
      this.#captures.find((capture) => FIELDS[capture.clue.role] === FIELDS[clue.role])?.group ?? ++this.#groups;
    this.#captures.push({ element, clue, written, muted, group, depth: 1, text: '', answered: false });
  }

  /** The `name` of something: of the author or publisher that is open. */
  takeName(element: string, written?: string): void {
    const about = this.#about();
    if (about !== undefined) this.take(element, named(about.clue), written);
  }

  /** An anchor in a list of tags or categories is one of them, in a byline it is a name. */
  takeAnchor(): void {
    const around = this.#captures.findLast(
      ({ clue }) => clue.role === 'tags' || clue.role === 'categories' || clue.role === 'author',
    );
    if (around === undefined || around.element === 'a') return;
    const { role, source, weight } = around.clue;
    if (role === 'author') this.take('a', { role, source: `${source} link`, weight: weight + 1 });
    else this.take('a', { role: role === 'tags' ? 'tag' : 'category', source, weight });
  }

  /** A property without an element of its own: `<meta itemprop=… content=…>`. */
  addProperty(property: string, content: string): void {
    const about = property === 'name' ? this.#about() : undefined;
    if (about !== undefined) {
      about.answered = true;
      this.#add(named(about.clue), content, about);
      return;
    }
    const field = PROPERTY_FIELDS.get(property.toLowerCase());
    if (field !== undefined) this.#findings.add(field, content, `microdata ${property}`, 86);
  }

  mute(element: string): void {
    if (this.#muted.length < MAX_MUTED) this.#muted.push({ element, depth: 0 });
  }

  /** A start tag that is no void element. */
  start(element: string): void {
    for (const muted of this.#muted) if (muted.element === element) muted.depth++;
    if (this.#captures.length === 0) return;
    const implied = element === 'p' || element === 'li' || element === 'dd' || element === 'dt' || element === 'a';
    for (const capture of this.#captures) {
      if (capture.element !== element) continue;
      if (implied) capture.depth = 0;
      else capture.depth++;
    }
    if (implied) this.#settle();
  }

  end(element: string): void {
    // What was muted by the start tag itself has depth 0 then.
    for (let at = this.#muted.length - 1; at >= 0; at--) {
      const muted = this.#muted[at];
      if (muted.element === element && --muted.depth < 0) this.#muted.splice(at, 1);
    }
    if (this.#captures.length === 0) return;
    let ended = false;
    for (const capture of this.#captures) if (capture.element === element && --capture.depth <= 0) ended = true;
    if (ended) this.#settle();
  }

  addText(text: string): void {
    let tooLong = false;
    for (const capture of this.#captures) {
      capture.text += text.length > MAX_TEXT ? text.slice(0, MAX_TEXT + 1) : text;
      if (capture.text.length > MAX_TEXT * 2) tooLong = true;
    }
    if (tooLong) this.#captures = this.#captures.filter((capture) => capture.text.length <= MAX_TEXT * 2);
  }

  /** Headings remember where their parts lie: a kicker is often no more than a `<span>`. */
  breakPart(): void {
    for (const capture of this.#captures) if (capture.clue.role === 'title' && continues(capture)) capture.text += PART;
  }

  /** Blocks stand on lines of their own. */
  breakLine(): void {
    for (const capture of this.#captures)
      if (continues(capture)) capture.text += capture.clue.role === 'title' ? ` ${PART} ` : '\n';
  }

  closeAll(): void {
    for (const capture of this.#captures) capture.depth = 0;
    this.#settle();
  }

  #about(): Capture | undefined {
    return this.#captures.findLast(({ clue }) => clue.role === 'author' || clue.role === 'siteName');
  }

  /** Gives up the captures that have ended, inner ones first. */
  #settle(): void {
    const left = this.#captures.filter((capture) => capture.depth > 0);
    for (const capture of this.#captures.toReversed()) if (capture.depth <= 0) this.#finish(capture, left);
    this.#captures = left;
  }

  #finish(capture: Capture, left: readonly Capture[]): void {
    const { clue, written } = capture;
    if (written !== undefined) this.#add(clue, written, capture);
    // The publisher's name is in a part of it; the rest is logo and address.
    if (capture.answered || (clue.role === 'siteName' && !clue.source.endsWith('name'))) return;
    const text = capture.text.trim();
    if (text === '' || text.length > MAX_TEXT) return;
    if (written === undefined || clue.role === 'published')
      this.#add(clue, text, capture, written === undefined ? 0 : 1);
    for (const outer of left) if (answers(clue, outer.clue, text)) outer.answered = true;
  }

  #add(clue: Clue, text: string, { muted, group }: Capture, less = 0): void {
    const value = clue.role === 'author' ? text.trim().replace(/\s*\n\s*/g, ` ${LINE} `) : text;
    this.#findings.add(FIELDS[clue.role], value, clue.source, clue.weight - less - (muted ? MUTED_LESS : 0), group);
  }
}

const PROPERTY_FIELDS = new Map<string, Field>([
  ['headline', 'title'],
  ['author', 'author'],
  ['creator', 'author'],
  ['datepublished', 'published'],
  ['datecreated', 'published'],
  ['uploaddate', 'published'],
  ['datemodified', 'modified'],
  ['description', 'description'],
  ['keywords', 'tag'],
  ['articlesection', 'category'],
  ['inlanguage', 'language'],
  ['image', 'image'],
  ['thumbnailurl', 'image'],
  ['license', 'license'],
]);

/** Breaks at the start mean nothing, and those of a text that is too long already are not counted. */
function continues({ text }: Capture): boolean {
  return text !== '' && text.length <= MAX_TEXT * 2;
}

function named(clue: Clue): Clue {
  return {
    role: clue.role,
    source: clue.source.endsWith('name') ? clue.source : `${clue.source}.name`,
    weight: clue.weight + 5,
  };
}

/** Whether an inner element says all that is to be known of the one around it. */
function answers(inner: Clue, outer: Clue, text: string): boolean {
  if (inner.role === 'author') return outer.role === 'author' && /\p{Lu}|[^\x00-\u024f]/u.test(text);
  if (inner.role === 'tag') return outer.role === 'tags';
  if (inner.role === 'category') return outer.role === 'categories';
  if (inner.role === 'siteName') return outer.role === 'siteName';
  return inner.role === 'published' && outer.role === 'date';
}
