import type { Claim } from '../../contracts/crawl-task.ts';
import type { AttachedPartition } from './node-partitions.ts';

export interface OpenClaim {
  readonly attached: AttachedPartition;
  /** As its partition numbers it. */
  readonly id: number;
}

/** The claims of a node, numbered across its partitions. Each counts as under way in its own, which is not handed over before. */
export class OpenClaims {
  readonly #claims = new Map<number, OpenClaim>();
  #lastId = 0;

  /** As the node numbers it. */
  opened(attached: AttachedPartition, claim: Claim): Claim {
    const id = ++this.#lastId;
    attached.underWay++;
    this.#claims.set(id, { attached, id: claim.id });
    return { ...claim, id };
  }

  get({ id }: Pick<Claim, 'id'>): OpenClaim | undefined {
    return this.#claims.get(id);
  }

  /** It has come to its end; one that only came along has none of its own. */
  closed({ id, place }: Pick<Claim, 'id' | 'place'>): void {
    const open = this.#claims.get(id);
    if (open === undefined || place !== undefined) return;
    open.attached.underWay--;
    this.#claims.delete(id);
  }
}
