import { parseLenientJson } from '../metadata/lenient-json.ts';
import { attributeOf, elementsBelow, type PageNode, textContent } from './page-tree.ts';

/** Objects of a page that are looked at; a page that declares more declares nothing. */
const MOST_OBJECTS = 20_000;

type Step = { readonly property: string } | { readonly index: number };

/** `Product.offers[0].price`: from every object of a type, or with `$` from those at the top, by properties and places in lists. */
export function compileJsonLdPath(path: string): (page: PageNode) => string[] {
  const [, start = '', rest = ''] =
    /^(\$|[\p{L}][\p{L}\p{N}:/_-]*)((?:\.[@\p{L}_][@\p{L}\p{N}:_-]*|\[(?:\d+|\*)\])*)$/u.exec(path) ?? [];
  if (start === '')
    throw new Error('a path looks like Product.offers[0].price, or $.headline for what the page declares at the top');
  const steps = [...rest.matchAll(/\.([^.[\]]+)|\[(\d+)\]/gu)].map(
    ([, property, index]): Step => (property === undefined ? { index: Number(index) } : { property }),
  );
  return (page) => {
    const declared = jsonLdOf(page);
    const from = start === '$' ? topObjects(declared) : objectsIn(declared).filter((object) => isOfType(object, start));
    let values: unknown[] = from;
    for (const step of steps) values = values.flatMap((value) => follow(value, step));
    return values.flatMap(leavesOf);
  };
}

/** What the scripts of a page declare, each script one value. Those that cannot be read are left out. */
export function jsonLdOf(page: PageNode): unknown[] {
  const values: unknown[] = [];
  for (const element of elementsBelow(page)) {
    if (element.localName !== 'script') continue;
    const type = attributeOf(element, 'type')?.split(';', 1)[0].trim().toLowerCase();
    if (type !== 'application/ld+json') continue;
    const value = parseLenientJson(textContent(element));
    if (value !== undefined) values.push(value);
  }
  return values;
}

function follow(value: unknown, step: Step): unknown[] {
  if ('index' in step) {
    const list = Array.isArray(value) ? value : [value];
    return step.index < list.length ? [list[step.index]] : [];
  }
  // A list stands for each of its members.
  const objects = Array.isArray(value) ? value : [value];
  return objects.flatMap((object) =>
    isObject(object) && Object.hasOwn(object, step.property) ? [object[step.property]] : [],
  );
}

/** Texts of what a path ends at. An object has one only where it is a value with a language or type. */
function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  if (isObject(value)) return Object.hasOwn(value, '@value') ? leavesOf(value['@value']) : [];
  return value === null || value === undefined ? [] : [String(value)];
}

function topObjects(values: readonly unknown[]): object[] {
  return values.flatMap((value) => {
    const listed = Array.isArray(value) ? value : [value];
    return listed
      .flatMap((one) => (isObject(one) && Array.isArray(one['@graph']) ? one['@graph'] : [one]))
      .filter(isObject);
  });
}

function objectsIn(values: readonly unknown[]): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const waiting: unknown[] = [...values].reverse();
  for (let value = waiting.pop(); value !== undefined && found.length < MOST_OBJECTS; value = waiting.pop()) {
    if (Array.isArray(value)) for (const one of value.toReversed()) waiting.push(one);
    else if (isObject(value)) {
      found.push(value);
      for (const one of Object.values(value).toReversed())
        if (typeof one === 'object' && one !== null) waiting.push(one);
    }
  }
  return found;
}

/** https://schema.org/Product is a Product. */
function isOfType(object: Record<string, unknown>, type: string): boolean {
  const types = Array.isArray(object['@type']) ? object['@type'] : [object['@type']];
  return types.some((one) => typeof one === 'string' && (one === type || one.replace(/^.*[/#:]/, '') === type));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
