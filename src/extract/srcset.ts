export interface ImageCandidate {
  readonly url: string;
  /** Pixels per CSS pixel; 1 when nothing is said. Absent when a width is given. */
  readonly density?: number;
  readonly width?: number;
}

const FLOAT = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The image candidates of a srcset attribute, in order; candidates with broken descriptors are left out. */
export function parseSrcset(input: string): ImageCandidate[] {
  const candidates: ImageCandidate[] = [];
  let at = 0;
  for (;;) {
    while (at < input.length && (isSpace(input.charCodeAt(at)) || input[at] === ',')) at++;
    if (at === input.length) return candidates;
    const start = at;
    while (at < input.length && !isSpace(input.charCodeAt(at))) at++;
    let end = at;
    while (input[end - 1] === ',') end--;
    const descriptors: string[] = [];
    // A comma right after the URL ends the candidate; else descriptors follow.
    if (end === at) at = readDescriptors(input, at, descriptors);
    const candidate = describe(input.slice(start, end), descriptors);
    if (candidate !== undefined) candidates.push(candidate);
  }
}

/** Collects descriptors up to the comma that ends the candidate; a comma in parentheses does not. */
function readDescriptors(input: string, from: number, descriptors: string[]): number {
  let current = '';
  let depth = 0;
  let at = from;
  for (; at < input.length; at++) {
    const char = input[at];
    if (depth > 0) {
      if (char === ')') depth = 0;
      current += char;
    } else if (isSpace(char.charCodeAt(0))) {
      if (current !== '') descriptors.push(current);
      current = '';
    } else if (char === ',') {
      break;
    } else {
      if (char === '(') depth = 1;
      current += char;
    }
  }
  if (current !== '') descriptors.push(current);
  return at;
}

function describe(url: string, descriptors: readonly string[]): ImageCandidate | undefined {
  let width: number | undefined;
  let density: number | undefined;
  let height: number | undefined;
  for (const descriptor of descriptors) {
    const number = descriptor.slice(0, -1);
    switch (descriptor.at(-1)) {
      case 'w':
        if (!isPositiveInteger(number) || width !== undefined || density !== undefined) return undefined;
        width = Number(number);
        break;
      case 'x':
        if (!FLOAT.test(number) || width !== undefined || density !== undefined || height !== undefined)
          return undefined;
        density = Number(number);
        if (density < 0) return undefined;
        break;
      case 'h':
        if (!isPositiveInteger(number) || height !== undefined || density !== undefined) return undefined;
        height = Number(number);
        break;
      default:
        return undefined;
    }
  }
  if (height !== undefined && width === undefined) return undefined;
  return width === undefined ? { url, density: density ?? 1 } : { url, width };
}

function isPositiveInteger(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) > 0;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 9 && code <= 13 && code !== 11);
}
