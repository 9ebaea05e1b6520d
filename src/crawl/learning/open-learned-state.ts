import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import type { FilterChain } from '../../scope/filter-chain.ts';
import { LearnedState, type LearnedStateParts, type LearnedStateSnapshot } from './learned-state.ts';

type LearnedStateSources = Pick<LearnedStateParts, 'folder' | 'settings' | 'clock' | 'random'> & {
  readonly state: OwnedPartition;
};

/** What a crawl has learnt, from its state. */
export function openLearnedState(
  { folder, settings, clock, random, state }: LearnedStateSources,
  filter: UrlFilter & Pick<FilterChain, 'beginnings'>,
): LearnedState {
  return new LearnedState({
    ...{ folder, settings, clock, random, filter },
    seeds: [...filter.beginnings],
    sketches: state.sketches,
    read: () => state.read<LearnedStateSnapshot>('lessons'),
    journal: () => state.learningJournal(),
    write: (learnedState) => state.writeLearnt('lessons', learnedState),
    arrivals: () => state.arrivals ?? 0,
    reconsider: (admits, reasons) => state.reconsider(admits, reasons),
  });
}
