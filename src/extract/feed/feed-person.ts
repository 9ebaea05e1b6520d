import type { FeedPerson } from './feed.ts';
import { childPlaces, type FeedPlace, linkTextAt, plainTextAt } from './feed-place.ts';

/** Reads a person: elements within an element, or one text such as "me@example.com (My Name)". */
export function readPerson(place: FeedPlace): FeedPerson | undefined {
  const person: { name?: string; email?: string; url?: string } = {};
  const children = childPlaces(place);
  for (const child of children) {
    const local = child.name.slice(child.name.indexOf(':') + 1);
    if (local === 'name') person.name = plainTextAt(child);
    else if (local === 'email') person.email = plainTextAt(child);
    else if (local === 'uri' || local === 'url' || local === 'homepage' || local === 'href') {
      person.url = linkTextAt(child);
    }
  }
  if (children.length === 0) return personOf(plainTextAt(place));
  return person.name === undefined && person.email === undefined && person.url === undefined ? undefined : person;
}

/** A person written as one text. */
function personOf(text: string): FeedPerson | undefined {
  const written = text.trim().slice(0, 1_000);
  if (written === '') return undefined;
  const email = emailIn(written);
  if (email === undefined) return { name: written };
  const name = written
    .replace(email, '')
    .replace(/mailto:|\(\s*\)|<\s*>/gi, '')
    .trim()
    .replace(/^[("']+|[)"']+$/g, '')
    .trim();
  return name === '' ? { email } : { name, email };
}

/** The e-mail address in a text. Found from its @ outwards, since a search from each character on would take too long. */
function emailIn(text: string): string | undefined {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && isAddressCharacter(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < text.length && isAddressCharacter(text.charCodeAt(end))) end++;
    const host = text.slice(at + 1, end);
    if (start < at && host.indexOf('.', 1) !== -1 && !host.endsWith('.')) return text.slice(start, end);
  }
  return undefined;
}

/** Neither white space nor one of " ' ( ) , : ; < > @. */
function isAddressCharacter(code: number): boolean {
  if (code <= 0x22 || (code >= 0x27 && code <= 0x29) || code === 0x2c) return false;
  return !(code >= 0x3a && code <= 0x40 && code !== 0x3d && code !== 0x3f);
}
