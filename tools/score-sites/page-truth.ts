import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import type { DocumentationSite } from './documentation-sites.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** What a page of a known template says, by another parser than the product's. */
export interface PageTruth {
  /** Any of them is right. */
  readonly titles: readonly string[];
  readonly text: string;
  /** Words of the whole page before a name count as a byline. */
  readonly metaAuthors: readonly string[];
}

const NO_TEXT = new Set(
  'script style template noscript svg button select textarea iframe object audio video canvas head title map'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Undefined where the page is not of the template. */
export function pageTruth(html: string, site: DocumentationSite): PageTruth | undefined {
  const document = parse(html, { scriptingEnabled: false });
  const all = elements(document);
  const without = site.without ?? [];
  const selector = site.main.find((one) => all.some((element) => matches(element, one)));
  if (selector === undefined) return undefined;
  let main = all[0];
  let text = '';
  for (const element of all) {
    const candidate = matches(element, selector) ? textOf(element, without) : '';
    if (candidate.length > text.length || (candidate !== '' && site.mainIsLast === true)) {
      main = element;
      text = candidate;
    }
  }
  const inMain = first(elements(main), site.heading);
  const anywhere = first(all, site.heading);
  const titleElement = all.find(({ tagName }) => tagName === 'title');
  const whole = titleElement === undefined ? '' : collapse(rawText(titleElement));
  const titles = [inMain, anywhere].flatMap((heading) => (heading === undefined ? [] : [textOf(heading, without)]));
  titles.push(collapse(site.siteName === undefined ? whole : whole.replace(site.siteName, '')));
  const metaAuthors = all
    .filter((element) => element.tagName === 'meta' && attribute(element, 'name')?.toLowerCase() === 'author')
    .map((element) => attribute(element, 'content') ?? '');
  return { titles: titles.map(collapse).filter((title) => title !== ''), text, metaAuthors };
}

function elements(root: Node): Element[] {
  const found: Element[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
  }
  return found;
}

function first(all: readonly Element[], selectors: readonly string[]): Element | undefined {
  for (const selector of selectors) {
    const found = all.find((element) => matches(element, selector));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Text without what the selectors name; blocks stand on lines of their own. */
function textOf(root: Element, without: readonly string[]): string {
  let text = '';
  const read = (node: Node): void => {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if (!('childNodes' in node)) return;
    if ('tagName' in node) {
      if (NO_TEXT.has(node.tagName) || without.some((selector) => matches(node, selector)) || isHidden(node)) return;
      if (BLOCKS.has(node.tagName)) text += '\n';
    }
    for (const child of node.childNodes) read(child);
    if ('tagName' in node && BLOCKS.has(node.tagName)) text += '\n';
  };
  read(root);
  return text.trim();
}

function isHidden(element: Element): boolean {
  return attribute(element, 'hidden') !== undefined || /display\s*:\s*none/.test(attribute(element, 'style') ?? '');
}

function rawText(element: Element): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

function matches(element: Element, selector: string): boolean {
  const [, tag, rest] = /^([a-z\d]*)(.*)$/.exec(selector) as RegExpExecArray;
  if (tag !== '' && element.tagName !== tag) return false;
  for (const [, kind, value, wanted] of rest.matchAll(/([.#[])([^.#[\]=]+)(?:=([^\]]*)\])?/g)) {
    if (kind === '#' && attribute(element, 'id') !== value) return false;
    if (kind === '.' && !(attribute(element, 'class') ?? '').split(/\s+/).includes(value)) return false;
    if (kind === '[' && attribute(element, value) !== wanted) return false;
  }
  return true;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
