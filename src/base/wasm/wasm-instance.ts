/** As much of the engine's interface as is used here: the type library of Node does not have it. */
interface WebAssemblyInterface {
  readonly Memory: new (size: { initial: number; maximum: number }) => GrowingMemory;
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  validate(code: Uint8Array<ArrayBuffer>): boolean;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

interface GrowingMemory {
  /** Another one after the memory has grown; the one before is empty then. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface WasmInstance {
  readonly memory: ArrayBuffer;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** A module that was compiled, for any number of instances. */
export type WasmModule = object;

export function compileWasm(code: Uint8Array<ArrayBuffer>): WasmModule {
  return new (engine().Module)(code);
}

/** Whether the engine would compile it on this machine. */
export function isValidWasm(code: Uint8Array<ArrayBuffer>): boolean {
  return engine().validate(code);
}

/** Starts a module that imports `env.memory`: this many pages of 64 KiB, which never become more. */
export function startWasm(code: Uint8Array<ArrayBuffer>, memoryPages: number): WasmInstance {
  const { memory, exports } = startGrowing(compileWasm(code), memoryPages, memoryPages);
  return { memory: memory.buffer, exports };
}

/** Starts a module whose memory may grow. */
export function startGrowing(
  module: WasmModule,
  memoryPages: number,
  mostPages: number,
): { readonly memory: GrowingMemory; readonly exports: WasmInstance['exports'] } {
  const { Memory, Instance } = engine();
  const memory = new Memory({ initial: memoryPages, maximum: mostPages });
  return { memory, exports: new Instance(module, { env: { memory } }).exports };
}

function engine(): WebAssemblyInterface {
  return (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
}
