import type { TokenSink } from './token.ts';

const UNDERSCORE = 0x5f;
const HYPHEN = 0x2d;
/** `__init__` has two underscores side by side; longer runs are lines to write on. */
const NAME = /^_{0,2}[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:_{1,2}[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*_{0,2}/u;
const FLAG = /^--[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[-_][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/u;
const OF_A_NAME = /[\p{L}\p{N}\p{M}_]/u;
/** As the longest term: beyond it a name is not as written. */
const LONGEST = 64;

/** Nearly every word is neither the first of a name nor of a flag, and learns so from its neighbours. */
export function mayBeIdentifier(units: Uint16Array, start: number, end: number): boolean {
  if (units[end] === UNDERSCORE) return true;
  if (start === 0) return false;
  const before = units[start - 1];
  return before === UNDERSCORE || (before === HYPHEN && start > 1 && units[start - 2] === HYPHEN);
}

/**
 * Tells of the name of a program or the flag of a command whose first word is here, with its signs: `select_related`, `__init__`,
 * `--force-with-lease`. A dot ends a name, so that `select_related` stands in `models.select_related`, too.
 */
export function emitIdentifier(text: string, start: number, end: number, position: number, sink: TokenSink): void {
  const before = start === 0 ? 0 : text.charCodeAt(start - 1);
  const isFlag = before === HYPHEN && text.charCodeAt(start - 2) === HYPHEN;
  if (!isFlag && before !== UNDERSCORE && text.charCodeAt(end) !== UNDERSCORE) return;
  let from = isFlag ? start - 2 : start;
  while (!isFlag && start - from < 3 && text.charCodeAt(from - 1) === UNDERSCORE) from--;
  if (OF_A_NAME.test(text[from - 1] ?? '') || (isFlag && text.charCodeAt(from - 1) === HYPHEN)) return;
  const name = (isFlag ? FLAG : NAME).exec(text.slice(from, from + LONGEST + 1))?.[0] ?? '';
  if (name.length > LONGEST || OF_A_NAME.test(text[from + name.length] ?? '')) return;
  if (/[_-]/.test(name) && /\p{L}/u.test(name)) sink(name, position, 'verbatim', from, from + name.length);
}
