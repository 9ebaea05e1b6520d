import { HUNTERS } from './hunters.ts';
import type { Species } from './species.ts';
import { WEAVERS } from './weavers.ts';

/** All species of the encyclopaedia, in the order of its index. */
export const SPECIES: readonly Species[] = [...WEAVERS, ...HUNTERS];
