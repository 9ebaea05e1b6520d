import { END, UntilTerminator } from './until-terminator.ts';

/** What one document may take. What is over a limit is left out, and a fault says so. */
export interface XmlTokenLimits {
  /** Characters between two pieces of markup, or in one CDATA section. */
  readonly maxText: number;
  /** Characters of one tag, its attributes included. */
  readonly maxTag: number;
}

/** Where the pieces of a document go. Texts and attributes are handed on as written: references are not replaced. */
export interface XmlTokens {
  startTag(name: string, attributes: string, empty: boolean): void;
  endTag(name: string): void;
  text(text: string, cdata: boolean): void;
  /** `<!DOCTYPE …>` and its like, without the brackets; only its beginning where it is long. */
  declaration(text: string): void;
  comment(): void;
  /** `<?target …?>` */
  instruction(target: string): void;
  /** The document breaks a rule of XML; it is read on all the same. */
  fault(what: string): void;
}

/** This fault alone leaves out more than is wrong: what follows in the tag is read as text. */
export const TAG_TOO_LONG = 'a tag past its limit';

const inText = 0;
const afterLess = 1;
const afterBang = 2;
const inTag = 3;
const inComment = 4;
const inCdata = 5;
const inInstruction = 6;
const inDeclaration = 7;

const less = 0x3c;
const greater = 0x3e;
const slash = 0x2f;
const bang = 0x21;
const question = 0x3f;
const equals = 0x3d;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/**
 * Cuts XML into tags and texts, however badly it is formed. It is fed piece by piece and holds back only what is not
 * complete; where the pieces are cut makes no difference to what comes out. No definition of an entity is ever obeyed.
 */
export class XmlTokenizer {
  readonly #tokens: XmlTokens;
  readonly #limits: XmlTokenLimits;
  #state = inText;
  #text = '';
  #textCut = false;
  /** The unfinished markup, as far as it has been seen. */
  #kept = '';
  #quote = 0;
  /** The last character of the tag that is not white space: a quote only opens a value after `=`. */
  #last = 0;
  #until = new UntilTerminator('-->', 0);
  /** Of a declaration: open brackets, open angle brackets, and the three characters before, one byte each. */
  #brackets = 0;
  #angles = 0;
  #before = 0;
  #commented = false;

  constructor(tokens: XmlTokens, limits: XmlTokenLimits) {
    this.#tokens = tokens;
    this.#limits = limits;
  }

  push(chunk: string): void {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#state) {
        case inText:
          at = this.#readText(chunk, at);
          break;
        case afterLess:
          at = this.#readLess(chunk, at);
          break;
        case afterBang:
          at = this.#readBang(chunk, at);
          break;
        case inTag:
          at = this.#readTag(chunk, at);
          break;
        case inDeclaration:
          at = this.#readDeclaration(chunk, at);
          break;
        default:
          at = this.#readUntil(chunk, at);
      }
    }
  }

  /** The document is over. A tag that was cut off by that is dropped; a text is the answer. */
  end(): string {
    const rest = this.#state === inText ? this.#text : '';
    if (this.#state === inText) {
      if (/[^\t\n\r ]/.test(this.#text)) this.#tokens.fault('ends in the middle of a text');
    } else {
      this.#flushText();
      this.#tokens.fault('ends in the middle of markup');
    }
    this.#text = '';
    this.#kept = '';
    this.#state = inText;
    return rest;
  }

  #readText(chunk: string, at: number): number {
    const open = chunk.indexOf('<', at);
    if (open === -1) {
      this.#keepText(at === 0 ? chunk : chunk.slice(at));
      return chunk.length;
    }
    if (open > at) this.#keepText(chunk.slice(at, open));
    this.#state = afterLess;
    return open + 1 < chunk.length ? this.#readLess(chunk, open + 1) : open + 1;
  }

  #readLess(chunk: string, at: number): number {
    const code = chunk.charCodeAt(at);
    this.#kept = '';
    if (code === slash || isNameStart(code)) {
      this.#flushText();
      this.#quote = 0;
      this.#last = 0;
      this.#state = inTag;
      return this.#readTag(chunk, at);
    }
    if (code === bang) {
      this.#state = afterBang;
      return at + 1;
    }
    if (code === question) {
      this.#flushText();
      this.#until = new UntilTerminator('?>', this.#limits.maxTag);
      this.#state = inInstruction;
      return at + 1;
    }
    this.#tokens.fault('a < that opens nothing');
    this.#keepText('<');
    this.#state = inText;
    return at;
  }

  /** `<!` may open a comment, a CDATA section or a declaration; it takes up to seven characters to know. */
  #readBang(chunk: string, at: number): number {
    const kept = this.#kept + chunk[at];
    this.#kept = kept;
    if (kept === '-' || (kept !== '[CDATA[' && '[CDATA['.startsWith(kept))) return at + 1;
    this.#flushText();
    if (kept === '--') {
      this.#until = new UntilTerminator('-->', 0);
      this.#state = inComment;
    } else if (kept === '[CDATA[') {
      this.#until = new UntilTerminator(']]>', this.#limits.maxText);
      this.#state = inCdata;
    } else {
      this.#quote = 0;
      this.#brackets = 0;
      this.#angles = 0;
      this.#before = 0;
      this.#commented = false;
      this.#state = inDeclaration;
      // The characters looked at belong to the declaration and are read again as such.
      const again = kept;
      this.#kept = '';
      for (let index = 0; index < again.length; index++) {
        if (this.#state === inDeclaration) this.#readDeclaration(again, index, index + 1);
      }
    }
    return at + 1;
  }

  #readTag(chunk: string, start: number): number {
    const stop = Math.min(chunk.length, start + this.#limits.maxTag - this.#kept.length);
    let quote = this.#quote;
    let last = this.#last;
    for (let at = start; at < stop; at++) {
      const code = chunk.charCodeAt(at);
      if (quote !== 0) {
        if (code === quote) {
          quote = 0;
          last = code;
        } else if (code === less) {
          this.#tokens.fault('a < in an attribute');
        }
      } else if (code === greater) {
        this.#state = inText;
        this.#endTag(chunk, start, at);
        return at + 1;
      } else if (code === less) {
        this.#tokens.fault('a tag within a tag');
        this.#endTag(chunk, start, at);
        this.#state = afterLess;
        return at + 1;
      } else if ((code === doubleQuote || code === singleQuote) && last === equals) {
        quote = code;
      } else if (code > 0x20) {
        last = code;
      }
    }
    this.#quote = quote;
    this.#last = last;
    this.#kept += chunk.slice(start, stop);
    if (this.#kept.length >= this.#limits.maxTag) {
      this.#tokens.fault(TAG_TOO_LONG);
      this.#kept = '';
      this.#state = inText;
    }
    return stop;
  }

  #endTag(chunk: string, start: number, end: number): void {
    if (this.#kept === '') {
      this.#emitTag(chunk, start, end);
      return;
    }
    const tag = this.#kept + chunk.slice(start, end);
    this.#kept = '';
    this.#emitTag(tag, 0, tag.length);
  }

  #emitTag(source: string, start: number, end: number): void {
    if (source.charCodeAt(start) === slash) {
      this.#tokens.endTag(source.slice(start + 1, nameEnd(source, start + 1, end)));
      return;
    }
    const afterName = nameEnd(source, start, end);
    const name = source.slice(start, afterName);
    if (afterName === end) {
      this.#tokens.startTag(name, '', false);
      return;
    }
    const empty = source.charCodeAt(end - 1) === slash;
    this.#tokens.startTag(name, source.slice(afterName, empty ? end - 1 : end), empty);
  }

  /** Comments, CDATA sections and instructions: nothing counts but how they end. */
  #readUntil(chunk: string, at: number): number {
    const after = this.#until.read(chunk, at);
    if (after === END) return chunk.length;
    const content = this.#until.content;
    if (this.#until.cut) this.#tokens.fault('a text past its limit');
    if (this.#state === inComment) this.#tokens.comment();
    if (this.#state === inCdata) this.#tokens.text(content, true);
    if (this.#state === inInstruction) this.#tokens.instruction(content.slice(0, nameEnd(content, 0, content.length)));
    this.#state = inText;
    return after;
  }

  /** A declaration ends at the `>` outside of its quotes, brackets, comments and inner declarations. */
  #readDeclaration(chunk: string, start: number, stop = chunk.length): number {
    for (let at = start; at < stop; at++) {
      const code = chunk.charCodeAt(at);
      const before = this.#before;
      this.#before = ((before << 8) | (code & 0xff)) & 0xffffff;
      if (this.#commented) {
        if (code === greater && (before & 0xffff) === 0x2d2d) {
          this.#commented = false;
          this.#angles--;
        }
      } else if (this.#quote !== 0) {
        if (code === this.#quote) this.#quote = 0;
      } else if (code === doubleQuote || code === singleQuote) {
        this.#quote = code;
      } else if (code === 0x2d && before === 0x3c212d) {
        this.#commented = true;
      } else if (code === 0x5b) {
        this.#brackets++;
      } else if (code === 0x5d) {
        this.#brackets--;
      } else if (code === less) {
        this.#angles++;
      } else if (code === greater) {
        if (this.#angles > 0) {
          this.#angles--;
        } else if (this.#brackets <= 0) {
          this.#keepDeclaration(chunk.slice(start, at));
          this.#state = inText;
          this.#tokens.declaration(this.#kept);
          this.#kept = '';
          return at + 1;
        }
      }
    }
    this.#keepDeclaration(chunk.slice(start, stop));
    return stop;
  }

  #keepDeclaration(piece: string): void {
    const room = this.#limits.maxTag - this.#kept.length;
    if (room > 0) this.#kept += piece.length > room ? piece.slice(0, room) : piece;
  }

  #keepText(piece: string): void {
    const room = this.#limits.maxText - this.#text.length;
    if (piece.length > room) {
      if (!this.#textCut) this.#tokens.fault('a text past its limit');
      this.#textCut = true;
      if (room > 0) this.#text += piece.slice(0, room);
    } else {
      this.#text = this.#text === '' ? piece : this.#text + piece;
    }
  }

  #flushText(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#textCut = false;
    this.#tokens.text(text, false);
  }
}

function isNameStart(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x5f || code === 0x3a || code >= 0x80;
}

/** End of the name that starts here: at white space, a slash, or the end of its tag. */
function nameEnd(source: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code <= 0x20 || code === slash) return at;
  }
  return end;
}
