import { exportTo } from './export-runs.ts';
import { madeSource } from './made-source.ts';

// Exports slowly, to be killed on the way.
const [, , path] = process.argv;
const parts = { format: 'jsonl', compression: 'gzip', checkpointBytes: 2000 } as const;
await exportTo(path, madeSource({ pages: 20_000, isSlow: true }), parts);
