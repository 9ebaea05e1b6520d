/** Pauses by how many times what was owed they lasted; the last class has no end. The first one is that of pauses which were too short. */
export const GAP_CLASSES: readonly { readonly below: number; readonly name: string }[] = [
  { below: 1, name: 'shorter than owed' },
  { below: 1.1, name: 'up to 1.1 times' },
  { below: 1.5, name: '1.1 to 1.5 times' },
  { below: 2, name: '1.5 to 2 times' },
  { below: 5, name: '2 to 5 times' },
  { below: 10, name: '5 to 10 times' },
  { below: Number.POSITIVE_INFINITY, name: '10 times and more' },
];
