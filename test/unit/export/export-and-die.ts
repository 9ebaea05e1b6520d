import { exportTo } from './export-runs.ts';
import { madeSource } from './made-source.ts';

// Exports slowly and never to the end, to be killed on the way.
const [, , path] = process.argv;
const parts = { format: 'jsonl', compression: 'gzip', checkpointBytes: 50_000 } as const;
await exportTo(path, madeSource({ pages: 2000, isSlow: true, haltsAt: 1900 }), parts);
