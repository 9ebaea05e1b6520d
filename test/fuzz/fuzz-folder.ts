import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TargetProgress {
  readonly inputs: number;
  readonly batches: number;
  /** Of the product, reached by guided batches. */
  readonly blocks: number;
  readonly cpuMs: number;
}

export interface Finding {
  readonly target: string;
  readonly seed: number;
  readonly kind: 'exception' | 'hang' | 'memory' | 'crash';
  readonly signature: string;
  readonly detail: string;
  readonly input: Uint8Array;
  readonly minimised: Uint8Array;
}

interface Written {
  readonly seed: number;
  readonly targets: Record<string, TargetProgress>;
}

const NOTHING: TargetProgress = { inputs: 0, batches: 0, blocks: 0, cpuMs: 0 };

/** Where a campaign keeps its progress, the inputs that reached new code, and its findings. */
export class FuzzFolder {
  readonly #path: string;
  #written: Written;

  constructor(path: string, seed: number, resume: boolean) {
    this.#path = path;
    mkdirSync(join(path, 'findings'), { recursive: true });
    const file = join(path, 'progress.json');
    this.#written =
      resume && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Written) : { seed, targets: {} };
  }

  get seed(): number {
    return this.#written.seed;
  }

  progressOf(target: string): TargetProgress {
    return this.#written.targets[target] ?? NOTHING;
  }

  add(target: string, more: TargetProgress): void {
    const { inputs, batches, blocks, cpuMs } = this.progressOf(target);
    this.#written.targets[target] = {
      inputs: inputs + more.inputs,
      batches: batches + more.batches,
      blocks: Math.max(blocks, more.blocks),
      cpuMs: cpuMs + more.cpuMs,
    };
  }

  save(): void {
    const file = join(this.#path, 'progress.json');
    writeFileSync(`${file}.new`, JSON.stringify(this.#written, undefined, 1));
    renameSync(`${file}.new`, file);
  }

  learned(target: string): Uint8Array[] {
    const folder = join(this.#path, 'learned', target);
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .sort()
      .map((name) => readFileSync(join(folder, name)));
  }

  learn(target: string, input: Uint8Array): void {
    const folder = join(this.#path, 'learned', target);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, nameOf(input)), input);
  }

  /** Answers where the finding lies. */
  report(finding: Finding): string {
    const { input, minimised, ...told } = finding;
    const file = join(this.#path, 'findings', `${finding.target}-${nameOf(minimised)}`);
    writeFileSync(file, minimised);
    writeFileSync(`${file}.original`, input);
    writeFileSync(`${file}.json`, `${JSON.stringify(told, undefined, 1)}\n`);
    return file;
  }
}

function nameOf(input: Uint8Array): string {
  return createHash('sha256').update(input).digest('hex').slice(0, 16);
}
