import type { XmlNode } from '../xml/xml-tree.ts';

/** Elements of HTML that have no content and no end tag. */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** What is within an element, as HTML: names without their prefixes, texts escaped. */
export function writeMarkup(children: readonly (XmlNode | string)[]): string {
  let markup = '';
  for (const child of children) markup += typeof child === 'string' ? escapeText(child) : writeElement(child);
  return markup;
}

function writeElement(node: XmlNode): string {
  const name = node.name.local;
  let tag = `<${name}`;
  for (let index = 0; index < node.attributes.length; index += 2) {
    const attribute = node.attributes[index];
    if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) continue;
    tag += ` ${attribute}="${escapeText(node.attributes[index + 1]).replaceAll('"', '&quot;')}"`;
  }
  if (node.children.length === 0 && voidElements.has(name)) return `${tag} />`;
  return `${tag}>${writeMarkup(node.children)}</${name}>`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
