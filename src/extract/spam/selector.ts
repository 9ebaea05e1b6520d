/** An element as selectors see it. */
export interface StyledElement {
  readonly name: string;
  readonly id: string;
  readonly classes: string;
}

/** Name, id and classes that one element must have. */
export interface Compound {
  readonly name: string;
  readonly id: string;
  readonly classes: readonly string[];
}

const LONGEST = 4;
const STARTS = /[.#]/;

/** The compounds of a selector, the target first; undefined for selectors that are not understood. */
export function readSelector(written: string): readonly Compound[] | undefined {
  if (/[:[\]+~\\@]/.test(written)) return undefined;
  const parts = (written.includes('>') ? written.replaceAll('>', ' ') : written).trim().split(/\s+/);
  if (parts.length > LONGEST || parts[0] === '') return undefined;
  return parts.map(compound).reverse();
}

export function fits(wanted: Compound, element: StyledElement): boolean {
  if (wanted.name !== '' && wanted.name !== element.name) return false;
  if (wanted.id !== '' && wanted.id !== element.id) return false;
  for (const name of wanted.classes) if (!hasToken(element.classes, name)) return false;
  return true;
}

function compound(written: string): Compound {
  const first = written.search(STARTS);
  const name = (first === -1 ? written : written.slice(0, first)).toLowerCase();
  let id = '';
  const classes: string[] = [];
  for (let at = first; at !== -1 && at < written.length; ) {
    const rest = written.slice(at + 1).search(STARTS);
    const end = rest === -1 ? written.length : at + 1 + rest;
    const token = written.slice(at + 1, end);
    if (written[at] === '#') id = token;
    else classes.push(token);
    at = end;
  }
  return { name: name === '*' ? '' : name, id, classes };
}

function hasToken(list: string, token: string): boolean {
  for (let at = list.indexOf(token); at !== -1; at = list.indexOf(token, at + 1)) {
    const end = at + token.length;
    if ((at === 0 || list.charCodeAt(at - 1) <= 0x20) && (end === list.length || list.charCodeAt(end) <= 0x20))
      return true;
  }
  return false;
}
