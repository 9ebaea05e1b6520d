import { fingerprint } from '../../base/fingerprint.ts';
import type { SpamScore } from '../../contracts/content/spam.ts';
import type { Claim, CrawlTask, NearChange, Outcome, RefusedBy, SketchSnapshot } from '../../contracts/crawl-task.ts';
import type { TrapGuard, TrapVerdict } from '../../contracts/trap-guard.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import type { MirrorFinder } from '../../dedupe/mirrors/mirror-finder.ts';
import { translate } from '../../dedupe/mirrors/mirror-url.ts';
import { notedVisit } from '../../dedupe/soft-not-found/noted-visit.ts';
import type { SoftNotFound } from '../../dedupe/soft-not-found/soft-not-found.ts';
import type { DomainBudgets } from '../../frontier/domain-budgets.ts';
import type { HostSpam } from '../../rank/spam/host-spam.ts';
import type { LinkFarmWatch } from '../../rank/spam/link-farm.ts';
import type { DomainOfHost } from '../../url/domain-of-host.ts';
import { isFileUrl } from '../../url/file-url.ts';
import { hostKeyOf, originOf, pathOf } from '../../url/host-key.ts';
import type { CloakingChecks } from '../visit/cloaking-checks.ts';
import { linksOf, type PageWork } from '../visit/page-work.ts';
import { NO_LINKS } from '../workers/packed-links.ts';
import type { LearningJournal } from './learning-journal.ts';
import type { NearDuplicates } from './near-duplicates.ts';
import { visitEvidence, withoutAnchor } from './visit-evidence.ts';

/** What the crawl has learnt to tell apart; each part may be switched off. */
export interface PageClassifierParts {
  readonly near?: NearDuplicates;
  readonly guard?: TrapGuard;
  readonly mirrors?: MirrorFinder;
  readonly notFound?: SoftNotFound;
  readonly budgets?: DomainBudgets;
  readonly hostSpam?: HostSpam;
  readonly farms?: LinkFarmWatch;
  readonly cloaks?: CloakingChecks;
  readonly domainOf: DomainOfHost;
  readonly random: () => number;
  /** Notes what can refuse a URL later; see learning-journal.ts. */
  readonly journal: LearningJournal;
}

/** Why a URL is not asked for, for now. */
export interface HeldBack {
  readonly by: RefusedBy;
  readonly rule: string;
  /** Of a suspected trap: the pattern that is held. */
  readonly pattern?: string;
  /** The same page where it is asked for instead. */
  readonly instead?: CrawlTask;
  /** Says that `instead` may not be asked for: the URL is not held back for its sake from then on. */
  readonly letIn?: () => void;
}

/** A visit with what was made of it. */
export interface Weighed {
  readonly work: PageWork;
  readonly contentSketch?: SketchSnapshot;
  /** Pages that were near to it and are so no longer, or less. */
  readonly nearChanges?: readonly NearChange[];
  /** A page that cannot exist, to be asked for. */
  readonly probe?: CrawlTask;
  /** Its links come last. */
  readonly doubtful: boolean;
}

/** A visit, and the places of its links that were unknown. */
export interface FinishedVisit {
  readonly claim: Claim;
  readonly work: PageWork;
  readonly unknown: readonly number[];
}

type PageVisit = Extract<PageWork, { kind: 'page' }>;

const SPAM = 0.5;
const NOT_FOUND = 404;
/** Endings behind which an error may hide. */
const JUDGED: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'redirected']);
/** Endings with a page. */
const GIVEN: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'unchanged']);
/** Endings after which the page has no text of its own to compare, unless one was compared. */
const WITHOUT_TEXT: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'gone', 'redirected']);
const NOWHERE: readonly CrawlTask[] = [];
const HONEST: SpamScore = { score: 0, signs: [] };

/**
 * What the deciding thread makes of a visit beyond what the page says of itself: whether it is new, whose copy it is, an
 * error in disguise, a trap, a mirror, spam. Learns from every visit, and is asked before every link and every claim.
 */
export class PageClassifier {
  readonly #parts: PageClassifierParts;

  constructor(parts: PageClassifierParts) {
    this.#parts = parts;
  }

  /** Texts that a new one is compared with. */
  get compared(): number | undefined {
    return this.#parts.near?.size;
  }

  /** Asked of a link that is new, and of none twice. */
  judgeLink(task: CrawlTask): HeldBack | undefined {
    const { journal } = this.#parts;
    return this.#held(task, (guard) => journal.teach('guard', guard, 'found', withoutAnchor(task)));
  }

  /** Asked again when the turn of a URL has come: more is known by then. */
  holds(task: CrawlTask): HeldBack | undefined {
    if (task.purpose !== 'page' || task.discovery.how === 'seed' || isFileUrl(task.url)) return undefined;
    return this.#held(task, (guard) => guard.judge(task)) ?? this.#overspent(task);
  }

  #held(task: CrawlTask, ask: (guard: TrapGuard) => TrapVerdict): HeldBack | undefined {
    const { guard, budgets, domainOf, journal } = this.#parts;
    const elsewhere = this.#mirrored(task);
    if (elsewhere !== undefined) return elsewhere;
    const verdict = guard === undefined ? undefined : ask(guard);
    if (verdict?.held === true) return { by: 'trap', rule: verdict.reason, pattern: verdict.pattern };
    if (budgets === undefined || budgets.hasMet(task.host)) return undefined;
    if (!journal.teach('budgets', budgets, 'newHost', domainOf(task.host), task.host))
      return { by: 'budget', rule: `${domainOf(task.host)} has more hosts than links from other domains warrant` };
    return undefined;
  }

  #overspent(task: CrawlTask): HeldBack | undefined {
    const { budgets, domainOf } = this.#parts;
    const domain = domainOf(task.host);
    if (budgets === undefined || budgets.hasRoom(domain)) return undefined;
    return { by: 'budget', rule: `${domain} has used up its ${budgets.allowance(domain)} pages` };
  }

  /** Before the conclusions are drawn: what the page is in the light of all others. */
  weigh(claim: Claim, work: PageWork): Weighed {
    const weighed = this.#weigh(claim, work);
    const onMirrors = this.#onMirrors(claim.task, weighed.work);
    return onMirrors.length === 0 ? weighed : { ...weighed, work: { ...weighed.work, onMirrors } as PageWork };
  }

  #weigh(claim: Claim, work: PageWork): Weighed {
    if (work.kind === 'probe') {
      const { answer, contentSketch } = work;
      const { redirectedTo } = answer;
      const { notFound, journal } = this.#parts;
      if (notFound !== undefined)
        journal.teach('notFound', notFound, 'learn', claim.task.host, {
          ...answer,
          ...(contentSketch === undefined ? {} : { contentSketch }),
          ...(redirectedTo === undefined ? {} : { redirectedTo: absolute(redirectedTo, claim.task.url) }),
        });
      return { work, doubtful: false };
    }
    if (work.kind === 'recheck') {
      this.#parts.cloaks?.compare(claim.task, work.contentSketch);
      return { work, doubtful: false };
    }
    if (work.kind !== 'page') return { work, doubtful: false };
    // A folder is no site: it has no traps, no errors in disguise and nobody to deceive.
    if (isFileUrl(claim.task.url)) return { ...this.#compare(claim, work), doubtful: false };
    const soft = this.#softNotFound(claim, work);
    if (soft !== undefined) return { work: soft, doubtful: false };
    const compared = this.#compare(claim, work);
    const probe =
      this.#probe(claim.task, compared.work) ?? this.#parts.cloaks?.draw(claim.task, compared.work.contentSketch);
    return {
      ...compared,
      ...(probe === undefined ? {} : { probe }),
      doubtful: this.#vouch(claim.task.host, compared.work),
    };
  }

  /** After the conclusions were drawn. */
  learn({ claim, work, unknown }: FinishedVisit, outcome: Outcome): void {
    const { task } = claim;
    // What a page is was learnt at its first visit; a later one shows only whether it has changed.
    const before = claim.earlier?.outcome.kind;
    const isFirst = before === undefined || before === 'failed' || (before === 'refused' && outcome.kind !== before);
    if (task.purpose !== 'page' || outcome.kind === 'deferred' || !isFirst || isFileUrl(task.url)) return;
    const use = 'use' in work ? work.use : undefined;
    if (use === undefined) return;
    const { guard, budgets, mirrors, domainOf, journal } = this.#parts;
    const facts = work.kind === 'page' ? work.facts : undefined;
    const sameAs = outcome.kind === 'duplicate' ? outcome.of : facts?.nearDuplicateOf?.url;
    const simhash = work.kind === 'page' ? work.contentSketch?.simhash : undefined;
    if (guard !== undefined)
      journal.teach(
        'guard',
        guard,
        'observe',
        visitEvidence(task, work, outcome, use, linksOf(work) ?? NO_LINKS, unknown),
      );
    if (budgets !== undefined) journal.teach('budgets', budgets, 'spend', domainOf(task.host));
    if (work.kind !== 'page' || mirrors === undefined) return;
    journal.teach('mirrors', mirrors, 'observe', {
      origin: originOf(task.url),
      target: pathOf(task.url),
      // An error in disguise says nothing of the page that is asked for.
      status: outcome.kind === 'gone' ? NOT_FOUND : work.facts.status,
      at: work.facts.requestedAt,
      exactly: outcome.kind === 'duplicate',
      bytes: work.facts.bytes,
      lacked: GIVEN.has(outcome.kind) && this.#isLackedByOriginal(task.url),
      ...(facts?.about === undefined ? {} : { words: facts.about.words }),
      ...(facts?.canonical === undefined ? {} : { canonical: facts.canonical }),
      ...(work.facts.digest === undefined ? {} : { digest: work.facts.digest }),
      ...(simhash === undefined ? {} : { simhash }),
      ...(sameAs === undefined ? {} : { sameAs }),
    });
  }

  /** After the conclusions were drawn: what becomes of pages near to one that is no longer what it was. */
  followNear(
    claim: Claim,
    outcome: Outcome,
    contentSketch?: SketchSnapshot,
  ): Pick<Weighed, 'contentSketch' | 'nearChanges'> {
    const { near } = this.#parts;
    const { task, earlier } = claim;
    const document = earlier?.document;
    if (near === undefined || document === undefined || contentSketch !== undefined || task.purpose !== 'page')
      return {};
    // A text that is too short to compare, or that of another page, replaces the one before as well.
    if (WITHOUT_TEXT.has(outcome.kind)) return { nearChanges: near.leave(document) };
    if (outcome.kind !== 'unchanged' || GIVEN.has(earlier?.outcome.kind ?? outcome.kind)) return {};
    const compared = near.comeBack(task.url, document);
    return compared === undefined ? {} : { contentSketch: compared.kept, nearChanges: compared.changes };
  }

  /** What was compared is in the state by now, or was given up. `written`: what is surely in the state. */
  settled(written?: readonly SketchSnapshot[]): void {
    this.#parts.near?.settled(written);
  }

  #mirrored(task: CrawlTask): HeldBack | undefined {
    const { mirrors } = this.#parts;
    if (mirrors === undefined) return undefined;
    const origin = originOf(task.url);
    const found = mirrors.mirrorOf(origin);
    // Some are asked for on both hosts, to notice when they part.
    if (found === undefined || mirrors.isCheck(pathOf(task.url))) return undefined;
    const url = translate(task.url, origin, found.origin) as CanonicalUrl;
    const page = fingerprint(url);
    if (mirrors.standIns.lacks(page)) return undefined;
    const instead = { ...task, url, fingerprint: page, host: hostKeyOf(url) };
    // What is not asked for there cannot stand for anything: the mirror is judged by its own pages.
    if (this.#parts.guard?.judge(instead).held === true) return undefined;
    const { journal } = this.#parts;
    journal.teach('standIns', mirrors.standIns, 'standsFor', page, found.mirror);
    return {
      by: 'mirror',
      rule: `${origin} is a mirror of ${found.origin}: ${found.why}`,
      instead,
      letIn: () => journal.teach('standIns', mirrors.standIns, 'lacked', page),
    };
  }

  /** The same page on the mirrors for which this one stood, if its host does not give it. */
  #onMirrors(task: CrawlTask, work: PageWork): readonly CrawlTask[] {
    const { mirrors, journal } = this.#parts;
    if (mirrors === undefined || task.purpose !== 'page' || isFileUrl(task.url)) return NOWHERE;
    const { standIns } = mirrors;
    const ending = this.#endingOf(task, work);
    // Nearly all pages are like this.
    if (ending === 'open' || (ending !== 'lacking' && !standIns.awaiting)) return NOWHERE;
    const page = task.fingerprint ?? fingerprint(task.url);
    if (ending === 'given') {
      journal.teach('standIns', standIns, 'gave', page);
      return NOWHERE;
    }
    const origin = originOf(task.url);
    const waiting = standIns.mirrorsOf(page);
    if (ending === 'lacking') journal.teach('standIns', standIns, 'lacked', page);
    const { fingerprint: _, ...rest } = task;
    // Nobody has asked for it by this address, so that it is held back like any link.
    const discovery = task.discovery.how === 'seed' ? { how: 'link' as const, from: task.url } : task.discovery;
    return waiting.map((mirror) => {
      const url = translate(task.url, origin, mirror) as CanonicalUrl;
      return { ...rest, url, host: hostKeyOf(url), discovery };
    });
  }

  /** Whether the host gives the page. 'held': not requested, for now; 'open': not known yet, or another page is in its place. */
  #endingOf({ url }: CrawlTask, work: PageWork): 'given' | 'lacking' | 'held' | 'open' {
    switch (work.kind) {
      case 'refused':
        return work.by === 'trap' ? 'held' : work.by === 'mirror' || work.by === 'budget' ? 'open' : 'lacking';
      case 'failed':
        return work.retryMs === undefined ? 'lacking' : 'open';
      case 'page': {
        const { ending } = work;
        if (ending.kind !== 'redirected') return ending.kind === 'gone' ? 'lacking' : 'given';
        const to = URL.parse(ending.to, url);
        const origin = originOf(url);
        if (to === null || to.origin === origin) return 'open';
        const isSamePage = to.href === to.origin + pathOf(url);
        return isSamePage || this.#parts.mirrors?.mirrorOf(to.origin)?.origin === origin ? 'lacking' : 'open';
      }
      default:
        return 'open';
    }
  }

  /** Whether this is a page of a mirror that the original does not have. */
  #isLackedByOriginal(url: CanonicalUrl): boolean {
    const { mirrors } = this.#parts;
    const origin = originOf(url);
    const found = mirrors?.mirrorOf(origin);
    if (mirrors === undefined || found === undefined) return false;
    return mirrors.standIns.lacks(fingerprint(translate(url, origin, found.origin)));
  }

  #softNotFound(claim: Claim, work: PageVisit): PageVisit | undefined {
    const { notFound, journal } = this.#parts;
    const { ending } = work;
    if (notFound === undefined || !JUDGED.has(ending.kind)) return undefined;
    const verdict = notFound.judge(visitOf(claim.task, work));
    if (!verdict.soft) return undefined;
    const { digest } = work.facts;
    if (ending.kind !== 'redirected' && digest !== undefined)
      journal.teach('notFound', notFound, 'noteSoft', claim.task.host, digest);
    // What a page that is not there links to is not there either.
    return { ...work, ending: { kind: 'gone', status: work.facts.status, soft: verdict.why }, links: NO_LINKS };
  }

  #compare(claim: Claim, work: PageVisit): Omit<Weighed, 'work' | 'doubtful'> & { readonly work: PageVisit } {
    const { near } = this.#parts;
    if (near === undefined || work.contentSketch === undefined || work.ending.kind !== 'stored') return { work };
    const { kept, near: other, changes } = near.compare(claim.task.url, work.contentSketch, claim.earlier?.document);
    const facts = {
      ...work.facts,
      document: kept.document,
      ...(other === undefined ? {} : { nearDuplicateOf: { url: other.url, jaccard: other.jaccard } }),
    };
    return { work: { ...work, facts }, contentSketch: kept, nearChanges: changes };
  }

  #probe(task: CrawlTask, work: PageVisit): CrawlTask | undefined {
    const { notFound, random, journal } = this.#parts;
    if (notFound === undefined) return undefined;
    if (!journal.teach('notFound', notFound, 'wantsProbe', notedVisit(visitOf(task, work)))) return undefined;
    const url = `${originOf(task.url)}${notFound.probeTarget(task.host, random, pathOf(task.url))}` as CanonicalUrl;
    return {
      url,
      host: task.host,
      depth: task.depth,
      redirects: 0,
      lane: 0,
      discovery: { how: 'link' },
      purpose: 'probe',
    };
  }

  /** Counts what the page vouches for; whether it is doubtful itself. */
  #vouch(host: HostKey, work: PageVisit): boolean {
    const { hostSpam, farms, budgets, domainOf, journal } = this.#parts;
    const page = work.facts.spam ?? HONEST;
    hostSpam?.observe(host, page);
    const doubt = Math.max(page.score, hostSpam?.scoreOf(host) ?? 0);
    const fromDomain = domainOf(host);
    const outHosts = work.outHosts ?? [];
    const words = work.facts.about?.words;
    if (words !== undefined) farms?.observePage({ domain: fromDomain, words, foreignLinks: outHosts.length });
    for (const toHost of outHosts) {
      const toDomain = domainOf(toHost);
      farms?.observe({ fromDomain, fromHost: host, toDomain, toHost });
      if (toDomain !== fromDomain && budgets !== undefined)
        journal.teach('budgets', budgets, 'support', fromDomain, toDomain, 1 - doubt);
    }
    return doubt >= SPAM;
  }
}

function visitOf(
  task: CrawlTask,
  { facts, contentSketch, said, ending }: PageVisit,
): Parameters<SoftNotFound['judge']>[0] {
  return {
    host: task.host,
    url: task.url,
    status: facts.status,
    ...(facts.about === undefined ? {} : { words: 0, ...said }),
    ...(facts.digest === undefined ? {} : { digest: facts.digest }),
    ...(contentSketch === undefined ? {} : { contentSketch }),
    ...(facts.title === undefined ? {} : { title: facts.title }),
    ...(ending.kind === 'redirected' ? { redirectedTo: absolute(ending.to, task.url) } : {}),
  };
}

function absolute(reference: string, base: string): string {
  return URL.parse(reference, base)?.href ?? reference;
}
