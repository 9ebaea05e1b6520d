import { deserialize, serialize } from 'node:v8';
import { pickLinks } from '../workers/packed-links.ts';
import type { LinkStanding, LinksToJudge } from './link-judge.ts';

/** Links that are judged and added in one go: some 30 ms of work. Those of a page beyond them wait on disk. */
export const LINKS_AT_ONCE = 2000;

/** The given links in batches for the state: tens of thousands of one page in one go would keep all hosts waiting. */
export function packBatches(
  { page, links, nofollow, standing }: LinksToJudge,
  places: readonly number[],
): Uint8Array[] {
  const { url, depth } = page;
  const { doubtful, focused, copyOf } = standing;
  const batches: Uint8Array[] = [];
  const pick = pickLinks(links);
  for (let from = 0; from < places.length; from += LINKS_AT_ONCE) {
    const some = places.slice(from, from + LINKS_AT_ONCE);
    const batch: LinksToJudge = {
      page: { url, depth },
      links: pick(some),
      ...(nofollow === undefined ? {} : { nofollow }),
      standing: {
        ...(doubtful === undefined ? {} : { doubtful }),
        ...(focused === undefined ? {} : { focused: focusOn(focused, some) }),
        ...(copyOf === undefined ? {} : { copyOf }),
      },
    };
    batches.push(serialize(batch));
  }
  return batches;
}

export function unpackBatch(batch: Uint8Array): LinksToJudge {
  return deserialize(batch) as LinksToJudge;
}

function focusOn(
  { promise, offTopic, deadEnd }: NonNullable<LinkStanding['focused']>,
  places: readonly number[],
): NonNullable<LinkStanding['focused']> {
  return {
    promise: Float32Array.from(places, (place) => promise[place]),
    offTopic,
    ...(deadEnd === undefined ? {} : { deadEnd }),
  };
}
