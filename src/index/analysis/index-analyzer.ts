import { hasVectors } from '../../base/wasm/has-vectors.ts';
import { compileWasm, type WasmModule } from '../../base/wasm/wasm-instance.ts';
import { type Analyzer, createAnalyzer } from './analyzer.ts';
import { assembleWordRunKernel } from './word-run-kernel.ts';
import { WordRuns } from './word-runs.ts';
import type { WordTable } from './word-table.ts';

/** An analyzer for those who index: it remembers names, and long texts are read by a kernel, which is started with the first of each language, where the machine has what it needs. */
export function createIndexAnalyzer(): Analyzer {
  if (!hasVectors()) return createAnalyzer({ remembersNames: true });
  const readers = new Map<WordTable, WordRuns>();
  let module: WasmModule | undefined;
  return createAnalyzer({
    remembersNames: true,
    readRuns(words) {
      let runs = readers.get(words);
      if (runs === undefined) {
        module ??= compileWasm(assembleWordRunKernel());
        runs = new WordRuns(module, words);
        readers.set(words, runs);
      }
      return runs;
    },
  });
}
