import type { FieldRule, RuleSelector, RuleSet } from '../../contracts/content/extraction-rules.ts';
import { compileCss } from './css-query.ts';
import { compileJsonLdPath } from './json-ld-path.ts';
import { attributeOf, isElement, markupOf, type PageElement, type PageNode, visibleText } from './page-tree.ts';
import { compileXPath, elementsOf, isAttribute, type XPathResult } from './xpath-query.ts';

/** Where values are looked for: a page, or one of its items. */
export interface RulePlace {
  readonly page: PageNode;
  readonly node: PageNode;
  /** As received. */
  readonly source: string;
}

export interface CompiledField {
  readonly rule: FieldRule;
  /** Texts of what the selector selects, in document order; without one, that of the whole place. */
  select(place: RulePlace): string[];
  /** What the regular expression makes of a text; the text itself where there is none. */
  match(text: string): string[];
}

export interface CompiledSet {
  readonly rules: RuleSet;
  each?(page: PageNode): readonly PageElement[];
  readonly fields: readonly CompiledField[];
}

/** Throws where a selector or an expression cannot be used; `parseRules` has told of that before. */
export function compileSet(rules: RuleSet): CompiledSet {
  return {
    rules,
    ...(rules.each === undefined ? {} : { each: compileEach(rules.each) }),
    fields: rules.fields.map(compileField),
  };
}

export function compileEach({ kind, expression }: RuleSelector): (page: PageNode) => readonly PageElement[] {
  if (kind === 'css') return compileCss(expression);
  const query = compileXPath(expression);
  return (page) => elementsOf(query(page));
}

export function compileField(rule: FieldRule): CompiledField {
  return { rule, select: compileSelector(rule), match: compileMatch(rule) };
}

function compileSelector(rule: FieldRule): CompiledField['select'] {
  const { selector, attribute, take } = rule;
  if (selector === undefined)
    return ({ page, node, source }) => [take === 'text' ? visibleText(node) : node === page ? source : markupOf(node)];
  const { kind, expression } = selector;
  if (kind === 'json-ld') {
    const path = compileJsonLdPath(expression);
    return ({ page }) => path(page);
  }
  const query: (from: PageNode) => readonly XPathResult[] =
    kind === 'css' ? compileCss(expression) : compileXPath(expression);
  return ({ node }) =>
    query(node).flatMap((found) => {
      if (typeof found === 'string') return [found];
      if (isAttribute(found)) return [found.value];
      if (attribute !== undefined) return isElement(found) ? (attributeOf(found, attribute) ?? []) : [];
      return [take === 'text' ? visibleText(found) : markupOf(found)];
    });
}

function compileMatch({ regex, many }: FieldRule): CompiledField['match'] {
  if (regex === undefined) return (text) => [text];
  const { source, flags } = regex;
  const expression = new RegExp(source, `${flags}g`);
  return (text) => {
    const found: string[] = [];
    for (const match of text.matchAll(expression)) {
      const value = match.length > 1 ? match.slice(1).find((group) => group !== undefined) : match[0];
      if (value !== undefined) found.push(value);
      if (!many) break;
    }
    return found;
  };
}
