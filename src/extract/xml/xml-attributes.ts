import { decodeXmlReferences, type ReferenceFaults } from './xml-references.ts';

/** Names as written (with their prefix) and values with references replaced, in order: name, value, name, value. */
export type XmlAttributes = readonly string[];

export const noAttributes: XmlAttributes = [];

/** More than any element of an honest document has. */
const mostAttributes = 128;

const equals = 0x3d;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** Reads what stands in a tag behind its name. Values without quotes and names without values are taken as HTML does. */
export function readAttributes(raw: string, faults: ReferenceFaults & { fault(what: string): void }): XmlAttributes {
  const attributes: string[] = [];
  let at = skipSpace(raw, 0);
  while (at < raw.length) {
    if (attributes.length >= 2 * mostAttributes) {
      faults.fault('too many attributes');
      break;
    }
    const nameStart = at;
    while (at < raw.length && raw.charCodeAt(at) > 0x20 && raw.charCodeAt(at) !== equals) at++;
    const name = raw.slice(nameStart, at);
    at = skipSpace(raw, at);
    let value = '';
    if (raw.charCodeAt(at) === equals) {
      at = skipSpace(raw, at + 1);
      const quote = raw.charCodeAt(at);
      if (quote === doubleQuote || quote === singleQuote) {
        const close = raw.indexOf(quote === doubleQuote ? '"' : "'", at + 1);
        const end = close === -1 ? raw.length : close;
        value = raw.slice(at + 1, end);
        at = end + 1;
        if (at < raw.length && raw.charCodeAt(at) > 0x20) faults.fault('no space between attributes');
      } else {
        const start = at;
        while (at < raw.length && raw.charCodeAt(at) > 0x20) at++;
        value = raw.slice(start, at);
        faults.fault('an attribute without quotes');
      }
    } else {
      faults.fault('an attribute without a value');
    }
    if (name === '') {
      faults.fault('an attribute without a name');
    } else if (attributeOf(attributes, name) !== undefined) {
      faults.fault('an attribute given twice');
    } else {
      attributes.push(name, decodeXmlReferences(value, faults));
    }
    at = skipSpace(raw, at);
  }
  return attributes;
}

/** Value of the attribute of this name, as written. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  for (let index = 0; index < attributes.length; index += 2) {
    if (attributes[index] === name) return attributes[index + 1];
  }
  return undefined;
}

function skipSpace(raw: string, start: number): number {
  let at = start;
  while (at < raw.length && raw.charCodeAt(at) <= 0x20) at++;
  return at;
}
