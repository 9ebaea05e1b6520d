/**
 * A pattern in which `*` stands for any run of characters and `?` for one; `\` takes the meaning from the next character.
 * The pieces between the stars are looked for from left to right, each at its first place after the one before: with
 * nothing but stars between them no other choice can do better, so nothing is ever tried twice.
 */
export class Glob {
  /** Before the first star, between stars, after the last. One piece alone when there is no star. */
  readonly #pieces: readonly Piece[];

  constructor(pattern: string) {
    this.#pieces = piecesOf(pattern);
  }

  /** Whether the pattern covers the text from `from` to its end. */
  matches(text: string, from = 0): boolean {
    const pieces = this.#pieces;
    const head = pieces[0];
    if (pieces.length === 1) return text.length - from === head.text.length && isAt(head, text, from);
    const tail = pieces[pieces.length - 1];
    const end = text.length - tail.text.length;
    if (from + head.text.length > end || !isAt(head, text, from) || !isAt(tail, text, end)) return false;
    let at = from + head.text.length;
    for (let index = 1; index < pieces.length - 1; index++) {
      const found = firstPlace(pieces[index], text, at, end);
      if (found === -1) return false;
      at = found + pieces[index].text.length;
    }
    return true;
  }
}

interface Piece {
  readonly text: string;
  /** Where `text` stands for any character; absent where it never does. */
  readonly wild?: readonly boolean[];
}

function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  let wild: boolean[] = [];
  const finish = () => {
    pieces.push(wild.includes(true) ? { text, wild } : { text });
    text = '';
    wild = [];
  };
  for (let at = 0; at < pattern.length; at++) {
    const escaped = pattern[at] === '\\' && at + 1 < pattern.length;
    if (escaped) at++;
    if (!escaped && pattern[at] === '*') {
      // Stars in a row are one.
      while (pattern[at + 1] === '*') at++;
      finish();
      continue;
    }
    wild.push(!escaped && pattern[at] === '?');
    text += pattern[at];
  }
  finish();
  return pieces;
}

function isAt(piece: Piece, text: string, at: number): boolean {
  if (piece.wild === undefined) return text.startsWith(piece.text, at);
  if (at + piece.text.length > text.length) return false;
  for (let index = 0; index < piece.text.length; index++) {
    if (!piece.wild[index] && piece.text.charCodeAt(index) !== text.charCodeAt(at + index)) return false;
  }
  return true;
}

function firstPlace(piece: Piece, text: string, from: number, end: number): number {
  const last = end - piece.text.length;
  if (piece.wild === undefined) {
    const found = text.indexOf(piece.text, from);
    return found <= last ? found : -1;
  }
  for (let at = from; at <= last; at++) if (isAt(piece, text, at)) return at;
  return -1;
}
