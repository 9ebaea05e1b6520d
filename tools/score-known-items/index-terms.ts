import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import type { IndexForm } from './indexed-sites.ts';

type Node = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document;
type Element = DefaultTreeAdapterTypes.Element;

/** A term and the page that the index names for it, as a path of the site. */
export interface IndexTerm {
  readonly term: string;
  readonly page: string;
}

const LONGEST = 60;

/** The terms of an index page that name one page of the site, in its order. */
export function indexTerms(html: string, indexPage: string, form: IndexForm): readonly IndexTerm[] {
  const pagesOf = new Map<string, Set<string>>();
  for (const { term, page } of entries(parse(html), form)) {
    const path = URL.parse(page, `http://site/${indexPage}`);
    const typed = asTyped(term);
    if (path?.host !== 'site' || typed.length < 3 || typed.length > LONGEST || !/\p{L}{2}/u.test(typed)) continue;
    const key = typed.toLowerCase();
    const pages = pagesOf.get(key) ?? new Set();
    pagesOf.set(key, pages.add(decodeURIComponent(path.pathname.slice(1))));
  }
  return [...pagesOf].flatMap(([term, pages]) => (pages.size === 1 ? [{ term, page: [...pages][0] }] : []));
}

function* entries(document: Node, form: IndexForm): Generator<IndexTerm> {
  switch (form) {
    case 'sphinx':
      return yield* sphinxEntries(document);
    case 'docbook':
      return yield* docbookEntries(document);
    case 'texinfo':
      return yield* texinfoEntries(document);
    case 'list':
      for (const item of elements(document, 'li')) yield* linked(textOf(item), directLinks(item));
  }
}

/** An entry is a link, or a text with entries of its own, of which only a single one names it. */
function* sphinxEntries(document: Node): Generator<IndexTerm> {
  for (const table of elements(document, 'table')) {
    if (!attribute(table, 'class').includes('genindextable')) continue;
    for (const item of elements(table, 'li')) {
      if (hasAround(item, 'li')) continue;
      const own = directLinks(item);
      const below = [...elements(item, 'ul')].flatMap((list) => [...elements(list, 'a')]);
      if (own.length > 0) yield* linked(textOf(own[0]), own);
      else if (below.length === 1) yield* linked(ownText(item), below);
    }
  }
}

function* docbookEntries(document: Node): Generator<IndexTerm> {
  for (const term of elements(document, 'dt')) {
    if (hasAround(term, 'dd')) continue;
    const links = [...elements(term, 'a')].filter((link) => attribute(link, 'class') === 'indexterm');
    yield* linked(ownText(term).replace(/[\s,]+$/, ''), links);
  }
}

function* texinfoEntries(document: Node): Generator<IndexTerm> {
  for (const row of elements(document, 'tr')) {
    const link = [...elements(row, 'a')].find((found) => attribute(found, 'href').includes('#index-'));
    if (link !== undefined) yield* linked(textOf(link), [link]);
  }
}

function* linked(term: string, links: readonly Element[]): Generator<IndexTerm> {
  for (const link of links) yield { term, page: attribute(link, 'href') };
}

/** "select_related() (in module x)" is looked for as "select_related". */
function asTyped(term: string): string {
  return term
    .replace(/\s+/g, ' ')
    .replace(/ \([^()]*\)$/, '')
    .replace(/ ?\(\)$/, '')
    .trim();
}

function* elements(node: Node, name: string): Generator<Element> {
  for (const child of childrenOf(node)) {
    if (defaultTreeAdapter.isElementNode(child) && child.tagName === name) yield child;
    yield* elements(child, name);
  }
}

function directLinks(item: Element): Element[] {
  return item.childNodes.filter(
    (child): child is Element => defaultTreeAdapter.isElementNode(child) && child.tagName === 'a',
  );
}

function childrenOf(node: Node): readonly DefaultTreeAdapterTypes.ChildNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function hasAround(element: Element, name: string): boolean {
  for (let around = element.parentNode; around !== null && 'parentNode' in around; around = around.parentNode)
    if (around.nodeName === name) return true;
  return false;
}

function ownText(element: Element): string {
  const texts = element.childNodes.flatMap((child) => (defaultTreeAdapter.isTextNode(child) ? [child.value] : []));
  return (texts.find((text) => text.trim() !== '') ?? '').trim();
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return childrenOf(node)
    .filter((child) => child.nodeName !== 'ul')
    .map(textOf)
    .join('')
    .trim();
}

function attribute(element: Element, name: string): string {
  return element.attrs.find((found) => found.name === name)?.value ?? '';
}
