/** As much of the engine's interface as is used here: the type library of Node does not have it. */
interface WebAssemblyInterface {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

export interface WasmInstance {
  readonly memory: ArrayBuffer;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** Starts a module that imports `env.memory`: this many pages of 64 KiB, which never become more. */
export function startWasm(code: Uint8Array<ArrayBuffer>, memoryPages: number): WasmInstance {
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyInterface }).WebAssembly;
  const memory = new Memory({ initial: memoryPages, maximum: memoryPages });
  const { exports } = new Instance(new Module(code), { env: { memory } });
  return { memory: memory.buffer, exports };
}
