/** An address as it was written, cut into pieces but not interpreted: to tell what a parser changed. */
export interface WrittenUrl {
  /** As written; undefined for a relative address. */
  readonly scheme: string | undefined;
  /** What stands between scheme and host, or in front of a path. */
  readonly slashes: string;
  readonly credentials: boolean;
  /** Undefined where the address names no host. */
  readonly host: string | undefined;
  /** With its colon; empty where there is none. */
  readonly port: string;
  readonly path: string;
  /** With its "?"; empty where there is none. */
  readonly query: string;
  readonly fragment: boolean;
}

/** `text` without the white space that parsers ignore. */
export function writtenUrl(text: string): WrittenUrl {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1];
  const start = scheme === undefined ? 0 : scheme.length + 1;
  const fragmentAt = indexOrEnd(text, '#', start, text.length);
  const queryAt = indexOrEnd(text, '?', start, fragmentAt);
  let slashesEnd = start;
  while (slashesEnd < queryAt && isSlash(text[slashesEnd])) slashesEnd++;
  const namesHost = slashesEnd - start >= 2 || scheme !== undefined;
  let pathAt = namesHost ? slashesEnd : start;
  while (namesHost && pathAt < queryAt && !isSlash(text[pathAt])) pathAt++;
  const authority = text.slice(slashesEnd, pathAt);
  const at = authority.lastIndexOf('@');
  const hostAndPort = authority.slice(at + 1);
  const bracketEnd = hostAndPort.lastIndexOf(']');
  const unclosed = hostAndPort.startsWith('[') && bracketEnd === -1;
  const colon = unclosed ? -1 : hostAndPort.indexOf(':', bracketEnd + 1);
  return {
    scheme,
    slashes: text.slice(start, slashesEnd),
    credentials: at !== -1,
    host: !namesHost ? undefined : colon === -1 ? hostAndPort : hostAndPort.slice(0, colon),
    port: !namesHost || colon === -1 ? '' : hostAndPort.slice(colon),
    path: text.slice(pathAt, queryAt),
    query: text.slice(queryAt, fragmentAt),
    fragment: fragmentAt < text.length,
  };
}

/** As a URL parser begins: without surrounding spaces and controls, and without tabs and line breaks anywhere. */
export function withoutIgnoredSpace(input: string): string {
  let start = 0;
  let end = input.length;
  while (start < end && input.charCodeAt(start) <= 0x20) start++;
  while (end > start && input.charCodeAt(end - 1) <= 0x20) end--;
  return input.slice(start, end).replace(/[\t\n\r]/g, '');
}

function isSlash(character: string): boolean {
  return character === '/' || character === '\\';
}

function indexOrEnd(text: string, character: string, from: number, end: number): number {
  const at = text.indexOf(character, from);
  return at === -1 || at > end ? end : at;
}
