import type { PageCopy, StateInspection } from '../../contracts/state/repair.ts';
import { StateView } from '../sqlite/state-view.ts';
import { pageCopies } from './page-copies.ts';

export class SqliteStateInspection extends StateView implements StateInspection {
  copies(): Generator<PageCopy> {
    return pageCopies(this.db);
  }

  pageCount(): number {
    return (this.db.prepare('SELECT count(*) AS pages FROM page').get() as { pages: number }).pages;
  }
}
