import { type Code, unsigned } from './wasm-assembler.ts';

/** Instructions on vectors of 128 bits, for whoever has asked `hasVectors`. Lanes count from the lowest octet. */
const VECTORS = 0xfd;

const unary =
  (...instruction: number[]) =>
  (operand: Code): Code => [operand, VECTORS, instruction];
const binary =
  (...instruction: number[]) =>
  (left: Code, right: Code): Code => [left, right, VECTORS, instruction];
const load =
  (instruction: number) =>
  (address: Code, offset = 0): Code => [address, VECTORS, instruction, 0, unsigned(offset)];

export const v128 = {
  load: load(0x00),
  /** The octet, or the 32 bits, at an address in all lanes. */
  loadByteToAll: load(0x07),
  loadWordToAll: load(0x09),
  store: (address: Code, value: Code, offset = 0): Code => [address, value, VECTORS, 0x0b, 0, unsigned(offset)],
  octets: (octets: readonly number[]): Code => [VECTORS, 0x0c, octets],
  and: binary(0x4e),
  or: binary(0x50),
  xor: binary(0x51),
  /** Bits of the first vector where those of the mask are set, otherwise of the second. */
  select: (mask: Code, then: Code, otherwise: Code): Code => [then, otherwise, mask, VECTORS, 0x52],
  isAnySet: unary(0x53),
};

/** 16 lanes of an octet. */
export const i8x16 = {
  all: (value: number): Code => v128.octets(Array.from({ length: 16 }, () => value)),
  spread: unary(0x0f),
  /** The octets of a vector at these lanes. */
  pick: (vector: Code, lanes: readonly number[]): Code => [vector, v128.octets(lanes), VECTORS, 0x0e],
  /** Octets of the first vector at the lanes that the second one names; 0 for lanes that there are not. */
  swizzle: binary(0x0e),
  equal: binary(0x23),
  less: binary(0x26),
  /** A bit for each lane: its highest. */
  bits: unary(0x64),
  /** Lanes of 16 bits to lanes of 8, as numbers with a sign: masks stay masks. */
  narrow: binary(0x65),
  /** The same, where what is too large becomes 255, and what has its highest bit set 0. */
  narrowUnsigned: binary(0x66),
  add: binary(0x6e),
  sub: binary(0x71),
  least: binary(0x77),
  most: binary(0x79),
};

/** 8 lanes of 16 bits. */
export const i16x8 = {
  all: (value: number): Code => v128.octets(Array.from({ length: 16 }, (_, at) => (value >>> (8 * (at & 1))) & 0xff)),
  equal: binary(0x2d),
  less: binary(0x30),
  fromLowOctets: unary(0x89, 0x01),
  fromHighOctets: unary(0x8a, 0x01),
  fromLowOctetsSigned: unary(0x87, 0x01),
  fromHighOctetsSigned: unary(0x88, 0x01),
  /** By a count that is an i32. */
  shiftLeft: binary(0x8b, 0x01),
  add: binary(0x8e, 0x01),
  sub: binary(0x91, 0x01),
  least: binary(0x97, 0x01),
  most: binary(0x99, 0x01),
};

/** 4 lanes of 32 bits. */
export const i32x4 = {
  all: (value: number): Code => v128.octets(Array.from({ length: 16 }, (_, at) => (value >>> (8 * (at & 3))) & 0xff)),
  spread: unary(0x11),
  lane: (vector: Code, lane: number): Code => [vector, VECTORS, 0x1b, lane],
  /** Whether no lane is 0. */
  areAllSet: unary(0xa3, 0x01),
  fromLowShortsSigned: unary(0xa7, 0x01),
  fromHighShortsSigned: unary(0xa8, 0x01),
  fromLowShorts: unary(0xa9, 0x01),
  fromHighShorts: unary(0xaa, 0x01),
  /** By a count that is an i32. */
  shiftLeft: binary(0xab, 0x01),
  shiftRightSigned: binary(0xac, 0x01),
  shiftRight: binary(0xad, 0x01),
  add: binary(0xae, 0x01),
  mul: binary(0xb5, 0x01),
};

/** 2 lanes of 64 bits. */
export const i64x2 = {
  lane: (vector: Code, lane: number): Code => [vector, VECTORS, 0x1d, lane],
};
