import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { Novelty, TrapGuard } from '../../../../src/contracts/trap-guard.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { LearningJournal, lazily } from '../../../../src/crawl/learning/learning-journal.ts';
import { DEFAULT_GUARD_OPTIONS, LearningGuard } from '../../../../src/scope/traps/learning-guard.ts';
import { taskOf } from '../../scope/traps/drive.ts';

const SEED = 'http://seed.example/';

/** A guard whose state is committed as a crawl does it, and what is on disk of it. */
class CommittedGuard {
  readonly journal: LearningJournal;
  readonly guard: LearningGuard;
  #snapshot: string | undefined;
  #entries: Uint8Array[] = [];

  constructor(clock: VirtualClock, before?: CommittedGuard) {
    this.journal = new LearningJournal(clock);
    this.guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, this.journal);
    this.guard.wants(SEED as CanonicalUrl);
    if (before === undefined) return;
    this.#snapshot = before.#snapshot;
    this.#entries = [...before.#entries];
    if (this.#snapshot !== undefined) this.guard.restore(JSON.parse(this.#snapshot));
    this.journal.replay(this.#entries, { guard: this.guard });
  }

  commit(): void {
    const entry = this.journal.take();
    if (entry !== undefined) this.#entries.push(entry);
  }

  save(): void {
    this.journal.take();
    this.#snapshot = JSON.stringify(this.guard.snapshot());
    this.#entries = [];
  }
}

interface Visit {
  readonly url: string;
  readonly novelty: Novelty;
  readonly links: readonly string[];
  readonly bytes: number;
  readonly saves: boolean;
}

const path = fc.constantFrom('/list/N', '/list/N?page=M', '/a/b/N.html', '/N/M/', '/shop?item=N&sort=M');
const NUMBERED = '?id=26468441348465';
const numberedUrl = fc.tuple(fc.nat(4), fc.nat(9)).map(([page, id]) => `${SEED}p${page}${NUMBERED}${id}`);
const plainUrl = fc
  .tuple(fc.constantFrom(SEED, 'http://found.example/', 'http://x.found.example/'), path, fc.nat(40), fc.nat(9))
  .map(([host, form, n, m]) => host + form.slice(1).replace('N', String(n)).replace('M', String(m)));
const url = fc.oneof(plainUrl, numberedUrl);
const visit: fc.Arbitrary<Visit> = fc.record({
  url,
  novelty: fc.constantFrom<Novelty>('new', 'new', 'near-duplicate', 'duplicate', 'gone', 'redirected', 'failed'),
  links: fc.array(url, { maxLength: 6 }),
  bytes: fc.constantFrom(900, 5000, 9000),
  saves: fc.boolean(),
});

/** A page with a long number is a copy of the one with another number. */
function copyOf({ url, novelty }: Visit): { copyOf?: CanonicalUrl } {
  const at = url.indexOf(NUMBERED);
  return at === -1 || !novelty.endsWith('duplicate')
    ? {}
    : { copyOf: `${url.slice(0, at)}${NUMBERED}0` as CanonicalUrl };
}

/** A visit as the conductor has it learnt: its links first, then what it brought. */
function learn({ journal, guard }: CommittedGuard, page: Visit, known: ReadonlySet<string>): void {
  const links = [...new Set(page.links)] as CanonicalUrl[];
  const unknown = links.filter((link) => !known.has(link));
  for (const link of unknown) {
    const task = taskOf(link, 3, { how: 'link', from: page.url });
    journal.teach('guard', guard as TrapGuard, 'found', task);
  }
  journal.teach('guard', guard as TrapGuard, 'observe', {
    task: taskOf(page.url, 2, { how: 'link', from: SEED }),
    novelty: page.novelty,
    links: links.length,
    unknownLinks: unknown.length,
    known: lazily(() => links.filter((link) => known.has(link))),
    fetchMs: 10,
    bytes: page.bytes,
    simhash: BigInt(page.bytes),
    words: 200,
    ...copyOf(page),
  });
}

describe('learning that is killed', () => {
  test('at any commit and resumed knows what an uninterrupted run knows, and refuses nothing else', () => {
    fc.assert(
      fc.property(fc.array(visit, { minLength: 1, maxLength: 80 }), fc.nat(), (visits, drawn) => {
        const clock = new VirtualClock();
        const whole = new CommittedGuard(clock);
        let killed = new CommittedGuard(clock);
        const killAt = drawn % visits.length;
        const known = new Set<string>();
        visits.forEach((page, at) => {
          clock.advance(1000);
          for (const run of [whole, killed]) {
            learn(run, page, known);
            run.commit();
            if (page.saves) run.save();
          }
          if (at === killAt) killed = new CommittedGuard(clock, killed);
          for (const link of [page.url, ...page.links]) known.add(link);
        });
        assert.deepEqual(killed.guard.report(1000), whole.guard.report(1000));
        for (const link of known) {
          const task = taskOf(link, 3, { how: 'link', from: SEED });
          if (!whole.guard.judge(task).held) assert.equal(killed.guard.judge(task).held, false, link);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('without a snapshot is whole again from the journal alone', () => {
    const clock = new VirtualClock();
    const run = new CommittedGuard(clock);
    for (let at = 0; at < 12; at++) {
      const page = { url: `http://found.example/list/${at}`, novelty: 'duplicate' as const, bytes: 900, saves: false };
      learn(run, { ...page, links: [`http://found.example/list/${at + 1}`] }, new Set());
      run.commit();
    }
    const states = (guard: LearningGuard) => guard.report(10).map(({ pattern, state }) => `${pattern} ${state}`);
    assert.ok(states(run.guard).includes('found.example/list/{n} held'), states(run.guard).join());
    assert.deepEqual(states(new CommittedGuard(clock, run).guard), states(run.guard));
  });
});
