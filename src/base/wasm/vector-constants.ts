import type { Code, Local, WasmFunction } from './wasm-assembler.ts';

/**
 * Vectors that are the same throughout a function, in variables that are set before its loops: the engine makes a constant anew wherever it
 * stands, in three instructions.
 */
export class VectorConstants {
  /** Sets them; to be put together behind all that uses them. */
  readonly prepare: Code[] = [];
  readonly #function: WasmFunction;
  readonly #locals = new Map<string, Local>();

  constructor(f: WasmFunction) {
    this.#function = f;
  }

  of(constant: Code): Code {
    const key = String(constant);
    let local = this.#locals.get(key);
    if (local === undefined) {
      local = this.#function.local('v128');
      this.#locals.set(key, local);
      this.prepare.push(local.set(constant));
    }
    return local.get;
  }
}
