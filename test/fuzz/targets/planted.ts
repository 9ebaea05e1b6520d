import type { FuzzTarget } from '../target.ts';

/** Faults on purpose: the tests of the fuzzer see whether it finds them. Not among the targets of a campaign. */
const planted: Pick<FuzzTarget, 'samples' | 'pieces' | 'maxLength'> = {
  samples: ['some words!'],
  pieces: ['!', 'a'],
  maxLength: 16,
};

export const hangTarget: FuzzTarget = {
  ...planted,
  name: 'planted-hang',
  run(input) {
    while (Buffer.from(input).includes('!'));
  },
};

export const memoryTarget: FuzzTarget = {
  ...planted,
  name: 'planted-memory',
  run(input) {
    const kept: unknown[] = [];
    while (Buffer.from(input).includes('!')) kept.push(Array(100).fill(kept.length));
  },
};
