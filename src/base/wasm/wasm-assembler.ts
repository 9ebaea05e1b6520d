/**
 * The little of a WebAssembly assembler that functions over one memory need. An expression is an array of octets,
 * nested at will: the operands, then the instruction. What may be combined with what is not checked here; the engine
 * refuses a module that is wrong. Instructions on vectors are in `wasm-vectors.ts`.
 */
export type Code = readonly (number | Code)[];
export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

const TYPES = { i32: 0x7f, i64: 0x7e, f64: 0x7c, v128: 0x7b } as const;
const NO_RESULT = 0x40;
const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const ELSE = 0x05;
const END = 0x0b;
const BRANCH = 0x0c;
const BRANCH_IF = 0x0d;

const unary =
  (instruction: number) =>
  (operand: Code): Code => [operand, instruction];
const binary =
  (instruction: number) =>
  (left: Code, right: Code): Code => [left, right, instruction];
/** Addresses need no alignment, and the processors at hand do not ask for any. */
const load =
  (instruction: number) =>
  (address: Code, offset = 0): Code => [address, instruction, 0, unsigned(offset)];
const store =
  (instruction: number) =>
  (address: Code, value: Code, offset = 0): Code => [address, value, instruction, 0, unsigned(offset)];

export const i32 = {
  const: (value: number): Code => [0x41, signedWord(value | 0)],
  load: load(0x28),
  loadByte: load(0x2d),
  loadShort: load(0x2f),
  store: store(0x36),
  storeByte: store(0x3a),
  storeShort: store(0x3b),
  isZero: unary(0x45),
  equal: binary(0x46),
  notEqual: binary(0x47),
  lessSigned: binary(0x48),
  less: binary(0x49),
  leadingZeros: unary(0x67),
  trailingZeros: unary(0x68),
  ones: unary(0x69),
  add: binary(0x6a),
  sub: binary(0x6b),
  mul: binary(0x6c),
  and: binary(0x71),
  or: binary(0x72),
  xor: binary(0x73),
  shiftLeft: binary(0x74),
  shiftRight: binary(0x76),
  fromI64: unary(0xa7),
};

export const i64 = {
  const: (value: bigint): Code => [0x42, signed(BigInt.asIntN(64, value))],
  load: load(0x29),
  store: store(0x37),
  isZero: unary(0x50),
  trailingZeros: unary(0x7a),
  add: binary(0x7c),
  sub: binary(0x7d),
  mul: binary(0x7e),
  and: binary(0x83),
  or: binary(0x84),
  xor: binary(0x85),
  shiftLeft: binary(0x86),
  shiftRight: binary(0x88),
  fromI32: unary(0xad),
  /** The bits of a number. */
  fromF64: unary(0xbd),
};

export const f64 = {
  zero: [0x44, 0, 0, 0, 0, 0, 0, 0, 0] as Code,
  load: load(0x2b),
  less: binary(0x63),
  add: binary(0xa0),
  mul: binary(0xa2),
  most: binary(0xa5),
};

/** Calls the function of the module that has this place among all. */
export function call(place: number, ...operands: readonly Code[]): Code {
  return [operands, 0x10, unsigned(place)];
}

/** Both values are computed; the condition takes one. No branch that could be guessed wrong. */
export function select(condition: Code, then: Code, otherwise: Code): Code {
  return [then, otherwise, condition, 0x1b];
}

export function when(condition: Code, then: Code, otherwise?: Code): Code {
  return [condition, IF, NO_RESULT, then, otherwise === undefined ? [] : [ELSE, otherwise], END];
}

export function whileDo(condition: Code, body: Code): Code {
  const leaveUnless = [condition, 0x45, BRANCH_IF, 1];
  return [BLOCK, NO_RESULT, LOOP, NO_RESULT, leaveUnless, body, BRANCH, 0, END, END];
}

export function doWhile(body: Code, condition: Code): Code {
  return [LOOP, NO_RESULT, body, condition, BRANCH_IF, 0, END];
}

/** What `leave` leaves. */
export function block(body: Code): Code {
  return [BLOCK, NO_RESULT, body, END];
}

/** Goes on behind the block that is `outward` blocks further out than the innermost; every `when` is one, and a loop begins anew. */
export function leave(outward: number, condition?: Code): Code {
  return condition === undefined ? [BRANCH, outward] : [condition, BRANCH_IF, outward];
}

/** Behind a result: leaves the function. */
export const RETURN = 0x0f;

export class Local {
  readonly get: Code;
  readonly #index: number;

  constructor(index: number) {
    this.#index = index;
    this.get = [0x20, unsigned(index)];
  }

  set(value: Code): Code {
    return [value, 0x21, unsigned(this.#index)];
  }

  /** Sets it; what was set is the value of the expression. */
  tee(value: Code): Code {
    return [value, 0x22, unsigned(this.#index)];
  }
}

/** A function under construction: its parameters first, then its other variables. */
export class WasmFunction {
  readonly #params: ValueType[] = [];
  readonly #locals: ValueType[] = [];

  param(type: ValueType): Local {
    return new Local(this.#params.push(type) - 1);
  }

  local(type: ValueType): Local {
    return new Local(this.#params.length + this.#locals.push(type) - 1);
  }

  /** A module with this function alone, exported by the name. */
  assemble(name: string, body: Code, memoryPages: number, mostPages = memoryPages): Uint8Array<ArrayBuffer> {
    return assembleModule({ [name]: this.with(body) }, memoryPages, mostPages);
  }

  with(body: Code): AssembledFunction {
    const params = this.#params.map((type) => TYPES[type]);
    const locals = this.#locals.map((type) => [1, TYPES[type]]);
    const code = flattened([unsigned(locals.length), locals, body, END]);
    return { type: [0x60, unsigned(params.length), params, 1, TYPES.i32], code: [unsigned(code.length), code] };
  }
}

export interface AssembledFunction {
  readonly type: Code;
  readonly code: Code;
}

/**
 * A module that exports these functions, each with an i32 as its result, and imports `env.memory`, of this many pages or, where it may
 * grow, up to `mostPages`.
 */
export function assembleModule(
  functions: Readonly<Record<string, AssembledFunction>>,
  memoryPages: number,
  mostPages = memoryPages,
): Uint8Array<ArrayBuffer> {
  const parts = Object.values(functions);
  const count = unsigned(parts.length);
  const exported = Object.keys(functions).map((name, index) => [text(name), 0, unsigned(index)]);
  return Uint8Array.from(
    flattened([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [count, parts.map(({ type }) => type)]),
      section(2, [1, text('env'), text('memory'), 2, 1, unsigned(memoryPages), unsigned(mostPages)]),
      section(3, [count, parts.map((_, index) => unsigned(index))]),
      section(7, [count, exported]),
      section(10, [count, parts.map(({ code }) => code)]),
    ]),
  );
}

function section(id: number, contents: Code): Code {
  const octets = flattened(contents);
  return [id, unsigned(octets.length), octets];
}

function text(value: string): Code {
  return [unsigned(value.length), [...Buffer.from(value, 'latin1')]];
}

function flattened(code: Code): number[] {
  const octets: number[] = [];
  append(code, octets);
  return octets;
}

/** To one array, whatever the depth: code is put together when a thread starts, by functions that are not warm. */
function append(code: Code, octets: number[]): void {
  for (let at = 0; at < code.length; at++) {
    const piece = code[at];
    if (typeof piece === 'number') octets.push(piece);
    else append(piece, octets);
  }
}

/** Numbers of variable length: seven bits an octet, the lowest first. */
export function unsigned(value: number): number[] {
  const octets: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) octets.push((rest & 0x7f) | 0x80);
  octets.push(rest);
  return octets;
}

/** The same as `signed`, which takes several times as long. */
function signedWord(value: number): number[] {
  const octets: number[] = [];
  let rest = value;
  for (; rest < -64 || rest > 63; rest >>= 7) octets.push((rest & 0x7f) | 0x80);
  octets.push(rest & 0x7f);
  return octets;
}

function signed(value: bigint): number[] {
  const octets: number[] = [];
  let rest = value;
  for (; rest < -64n || rest > 63n; rest >>= 7n) octets.push(Number(rest & 0x7fn) | 0x80);
  octets.push(Number(rest & 0x7fn));
  return octets;
}
