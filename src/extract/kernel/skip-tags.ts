import {
  type AssembledFunction,
  type Code,
  doWhile,
  i32,
  WasmFunction,
  when,
  whileDo,
} from '../../base/wasm/wasm-assembler.ts';
import { i8x16, v128 } from '../../base/wasm/wasm-vectors.ts';
import { CLASSES, WANTED } from './memory-layout.ts';
import { GREATER, SLASH, SPACE } from './tag-tables.ts';

/**
 * The first `<` from `at` on that somebody has to look at; `end` where there is none. Passes over texts, and over tags of which the first
 * letters tell that nobody wants them. Behind `end` stand zeros.
 */
export type SkipTags = (at: number, end: number) => number;

const n = i32.const;
const OPEN = n(0x3c);
const CLOSE = n(0x3e);

export function skipTags(): AssembledFunction {
  const f = new WasmFunction();
  const [at, end] = [f.param('i32'), f.param('i32')];
  const [opens, name, code, place, isDone, found] = Array.from({ length: 6 }, () => f.local('i32'));

  const classOf = (address: Code): Code => i32.loadByte(i32.loadByte(address), CLASSES);
  const isAny = (kinds: number): Code => i32.notEqual(i32.and(classOf(place.get), n(kinds)), n(0));
  const next = place.set(i32.add(place.get, n(1)));
  const isInside = i32.less(place.get, end.get);
  const passSpaces = whileDo(i32.and(isInside, isAny(SPACE)), next);

  const letters = [0, 1, 2].map((offset) => i32.and(i32.loadByte(name.get, offset), n(31)));
  const combination = i32.or(i32.or(i32.shiftLeft(letters[0], n(10)), i32.shiftLeft(letters[1], n(5))), letters[2]);
  const isWanted = i32.loadByte(combination, WANTED);

  // The same as `tagEnd` in `markup-places.ts`.
  const passQuoted: Code = [
    next,
    opens.set(n(0)),
    whileDo(i32.and(isInside, i32.isZero(opens.get)), [
      opens.set(i8x16.bits(i8x16.equal(v128.load(place.get), i8x16.spread(code.get)))),
      when(
        opens.get,
        place.set(i32.add(place.get, i32.trailingZeros(opens.get))),
        place.set(i32.add(place.get, n(16))),
      ),
    ]),
    next,
  ];
  const passPlain = whileDo(
    i32.and(isInside, i32.and(i32.notEqual(i32.loadByte(place.get), CLOSE), i32.isZero(isAny(SPACE)))),
    next,
  );
  const passValue: Code = [
    doWhile(next, i32.and(isInside, isAny(SPACE))),
    code.set(i32.loadByte(place.get)),
    when(i32.or(i32.equal(code.get, n(0x22)), i32.equal(code.get, n(0x27))), passQuoted, passPlain),
  ];
  const passAttribute: Code = [
    doWhile(next, i32.and(isInside, i32.isZero(classOf(place.get)))),
    passSpaces,
    when(i32.equal(i32.loadByte(place.get), n(0x3d)), passValue),
  ];
  const passTag: Code = [
    place.set(name.get),
    whileDo(i32.and(isInside, i32.isZero(isAny(SPACE | SLASH | GREATER))), next),
    isDone.set(n(0)),
    doWhile(
      [
        whileDo(i32.and(isInside, isAny(SPACE | SLASH)), next),
        when(
          isInside,
          when(
            i32.equal(i32.loadByte(place.get), CLOSE),
            [at.set(i32.add(place.get, n(1))), isDone.set(n(1))],
            passAttribute,
          ),
          // The document ends inside of it.
          [found.set(n(1)), isDone.set(n(1))],
        ),
      ],
      i32.isZero(isDone.get),
    ),
  ];
  const takeOpen: Code = [
    name.set(i32.add(at.get, n(1))),
    code.set(i32.loadByte(name.get)),
    when(i32.equal(code.get, n(0x2f)), [name.set(i32.add(name.get, n(1)))]),
    when(
      isLetter(i32.loadByte(name.get)),
      when(isWanted, found.set(n(1)), passTag),
      when(isSign(code.get), found.set(n(1)), at.set(i32.add(at.get, n(1)))),
    ),
  ];
  return f.with([
    whileDo(i32.and(i32.less(at.get, end.get), i32.isZero(found.get)), [
      opens.set(i8x16.bits(i8x16.equal(v128.load(at.get), i8x16.spread(OPEN)))),
      when(
        opens.get,
        [at.set(i32.add(at.get, i32.trailingZeros(opens.get))), takeOpen],
        at.set(i32.add(at.get, n(16))),
      ),
    ]),
    when(i32.less(end.get, at.get), at.set(end.get)),
    at.get,
  ]);
}

function isLetter(code: Code): Code {
  return i32.less(i32.sub(i32.or(code, n(0x20)), n(0x61)), n(26));
}

/** Begins an end tag, a comment or its like. */
function isSign(code: Code): Code {
  return i32.or(i32.equal(code, n(0x2f)), i32.or(i32.equal(code, n(0x21)), i32.equal(code, n(0x3f))));
}
