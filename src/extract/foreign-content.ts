import { BLOCK, BREAKOUT, FOREIGN, RAW_TEXT, TABLE_PART, VOID } from './element-traits.ts';
import type { HtmlScanner } from './html-scanner.ts';
import { attributeName } from './tags/attribute-name.ts';

export type Namespace = 'html' | 'svg' | 'math';

interface OpenElement {
  readonly name: string;
  readonly namespace: Namespace;
  /** Markup inside is HTML again: an "integration point" of the standard. */
  readonly holdsHtml: boolean;
}

const ENCODING = attributeName('encoding');
const FONT_ATTRIBUTES = [attributeName('color'), attributeName('face'), attributeName('size')];
const MATH_TEXT = new Set(['mi', 'mo', 'mn', 'ms', 'mtext']);
const SVG_WITH_HTML = new Set(['foreignobject', 'desc', 'title']);
const NEVER_CLOSING = new Set(['annotation-xml', 'body', 'html', 'math', 'svg']);
const HIDDEN = new Set(['style', 'script', 'metadata']);

/** As deep as browsers go; bounds the search for the element that an end tag closes. */
const DEEPEST = 512;

/**
 * Follows SVG and MathML, since markup has other rules there: no element holds raw text, CDATA sections exist, and most HTML
 * elements end it. Elements are tracked from the outermost `<svg>` or `<math>` only; outside there is nothing to track.
 */
export class ForeignContent {
  readonly #open: OpenElement[] = [];

  /** Inside an `<svg>` or `<math>`, maybe in HTML within it. */
  get active(): boolean {
    return this.#open.length > 0;
  }

  get namespace(): Namespace {
    return this.#open.at(-1)?.namespace ?? 'html';
  }

  /** Text here is code or data. */
  get hidesText(): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && top.namespace !== 'html' && HIDDEN.has(top.name);
  }

  get depth(): number {
    return this.#open.length;
  }

  /** Gives up everything above this depth. */
  cut(depth: number): void {
    if (this.#open.length > depth) this.#open.length = depth;
  }

  /** Takes a start tag; answers the namespace of its element. */
  start(scanner: HtmlScanner): Namespace {
    const name = scanner.tagName();
    const top = this.#open.at(-1);
    if (top === undefined || top.namespace === 'html' || entersHtml(top, name)) return this.#startHtml(name, scanner);
    if (breaksOut(scanner)) {
      this.#popToHtml();
      return this.#startHtml(name, scanner);
    }
    const { namespace } = top;
    if (!scanner.selfClosing)
      this.#push({ name, namespace, holdsHtml: holdsHtml(name, namespace, scanner.attribute(ENCODING)) });
    return namespace;
  }

  /** Takes an end tag; answers whether a foreign element took it, so that it means nothing to HTML. */
  end(scanner: HtmlScanner): boolean {
    const name = scanner.tagName();
    const open = this.#open;
    let index = open.length - 1;
    if (index < 0) return false;
    if (open[index].namespace !== 'html') {
      if (name === 'p' || name === 'br') {
        this.#popToHtml();
        return false;
      }
      for (; index >= 0 && open[index].namespace !== 'html'; index--) {
        if (open[index].name !== name) continue;
        open.length = index;
        return true;
      }
    }
    for (let html = index; html >= 0 && open[html].namespace === 'html'; html--) {
      if (open[html].name !== name) continue;
      open.length = html;
      return false;
    }
    if (closesAround(scanner, open)) open.length = 0;
    return false;
  }

  #startHtml(name: string, scanner: HtmlScanner): Namespace {
    const top = this.#open.at(-1);
    // A block ends the paragraph before it.
    if (top?.name === 'p' && top.namespace === 'html' && (scanner.traits & BLOCK) !== 0) this.#open.pop();
    const foreign = name === 'svg' || name === 'math';
    const namespace = foreign ? name : 'html';
    if (foreign ? !scanner.selfClosing : this.#open.length > 0 && (scanner.traits & VOID) === 0)
      this.#push({ name, namespace, holdsHtml: false });
    return namespace;
  }

  #push(element: OpenElement): void {
    if (this.#open.length < DEEPEST) this.#open.push(element);
  }

  #popToHtml(): void {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (top.namespace === 'html' || top.holdsHtml) return;
      this.#open.pop();
    }
  }
}

/**
 * Whether an end tag that nothing inside answers to closes an HTML element around it all, which is taken to be open.
 * Elements with HTML in them shut it in, except where it belongs to a table. No element with raw text can be around, and
 * `</body>` and `</html>` close nothing.
 */
function closesAround(scanner: HtmlScanner, open: readonly OpenElement[]): boolean {
  if ((scanner.traits & TABLE_PART) !== 0) return true;
  if (scanner.traits === 0 || (scanner.traits & (VOID | RAW_TEXT | FOREIGN)) !== 0 || NEVER_CLOSING.has(scanner.name))
    return false;
  return !open.some((element) => element.holdsHtml || element.name === 'annotation-xml');
}

function entersHtml(top: OpenElement, name: string): boolean {
  if (top.namespace === 'math') {
    if (MATH_TEXT.has(top.name)) return name !== 'mglyph' && name !== 'malignmark';
    if (top.name === 'annotation-xml' && name === 'svg') return true;
  }
  return top.holdsHtml;
}

function holdsHtml(name: string, namespace: Namespace, encoding: string | undefined): boolean {
  if (namespace === 'svg') return SVG_WITH_HTML.has(name);
  if (MATH_TEXT.has(name)) return true;
  const type = name === 'annotation-xml' ? encoding?.toLowerCase() : undefined;
  return type === 'text/html' || type === 'application/xhtml+xml';
}

function breaksOut(scanner: HtmlScanner): boolean {
  if ((scanner.traits & BREAKOUT) !== 0) return true;
  return scanner.name === 'font' && FONT_ATTRIBUTES.some((name) => scanner.attribute(name) !== undefined);
}
