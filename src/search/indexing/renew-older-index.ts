import type { Clock } from '../../base/clock.ts';
import { hasOlderIndex } from './older-index.ts';

/**
 * Rebuilds an index of an older form before it is followed. A pause ends it within seconds: the old index stays, and the next
 * run begins it again.
 */
export async function renewOlderIndex(
  folder: string,
  clock: Clock,
  pause: AbortSignal,
): Promise<'current' | 'renewed' | 'paused'> {
  if (!hasOlderIndex(folder)) return 'current';
  const { rebuildIndex } = await import('./rebuild-index.ts');
  try {
    await rebuildIndex(folder, clock, undefined, undefined, pause);
    return 'renewed';
  } catch (error) {
    if (pause.aborted && error === pause.reason) return 'paused';
    throw error;
  }
}
