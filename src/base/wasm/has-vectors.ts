import { madeOnce } from '../made-once.ts';
import { WasmFunction } from './wasm-assembler.ts';
import { isValidWasm } from './wasm-instance.ts';
import { i8x16 } from './wasm-vectors.ts';

/**
 * Whether the engine takes instructions on vectors here. It wants SSE 4.1 for them, which virtual machines often do not show (`kvm64` and
 * `qemu64` of QEMU), and which some other processors have nothing like: there, loops in TypeScript do the work.
 */
export const hasVectors = madeOnce(() => isValidWasm(new WasmFunction().assemble('ask', i8x16.bits(i8x16.all(0)), 1)));
