import { VectorConstants } from '../../base/wasm/vector-constants.ts';
import { type AssembledFunction, type Code, i32, WasmFunction, when, whileDo } from '../../base/wasm/wasm-assembler.ts';
import { i8x16, v128 } from '../../base/wasm/wasm-vectors.ts';

/** The first place from `at` on, before `end` or up to 15 bytes behind it, where one of the marks begins; 0 where there is none. */
export type FindMark = (at: number, end: number) => number;

/** Looks for three characters in a row: the same first one, and then any of some pairs. */
export function findMark(first: string, pairs: readonly string[]): AssembledFunction {
  const f = new WasmFunction();
  const [at, end] = [f.param('i32'), f.param('i32')];
  const [found, place] = [f.local('i32'), f.local('i32')];
  const [firsts, seconds, thirds] = [f.local('v128'), f.local('v128'), f.local('v128')];
  const n = i32.const;
  const constants = new VectorConstants(f);
  const is = (bytes: Code, character: string): Code =>
    i8x16.equal(bytes, constants.of(i8x16.all(character.charCodeAt(0))));
  const pair = (characters: string): Code => v128.and(is(seconds.get, characters[0]), is(thirds.get, characters[1]));
  const any = pairs.slice(1).reduce((before, characters) => v128.or(before, pair(characters)), pair(pairs[0]));
  return f.with([
    constants.prepare,
    whileDo(i32.less(at.get, end.get), [
      firsts.set(is(v128.load(at.get), first)),
      // Most parts of a text have not even the first.
      when(v128.isAnySet(firsts.get), [
        seconds.set(v128.load(at.get, 1)),
        thirds.set(v128.load(at.get, 2)),
        found.set(i8x16.bits(v128.and(firsts.get, any))),
        when(found.get, [place.set(i32.add(at.get, i32.trailingZeros(found.get))), at.set(end.get)]),
      ]),
      at.set(i32.add(at.get, n(16))),
    ]),
    place.get,
  ]);
}
