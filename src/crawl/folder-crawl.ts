import type { UnshippedFiles } from '../archive/shipping/archive-shipper.ts';
import type { CrawlEvents, CrawlProgress, ThreadUse } from '../contracts/events.ts';
import type { ForgottenEntry, ForgottenPages } from '../contracts/forgotten.ts';
import type { Seed } from '../contracts/seed.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FilterChain } from '../scope/filter-chain.ts';
import { rootsOf } from '../seeds/folder-seeds.ts';
import { isFileUrl } from '../url/file-url.ts';
import { addSeeds, canonicalSeed, mergeSeedScopes, refuseFolders } from './add-seeds.ts';
import { completeSeeds } from './assumed-schemes.ts';
import { changedSettings, changeNotices, keptSettings, mayTurn } from './changed-settings.ts';
import type { Conductor, EndReason } from './conductor.ts';
import { ControlConsumer } from './control/control-consumer.ts';
import type { Crawl, CrawlSummary, HeldBackUrls } from './crawl.ts';
import { FileRevisits } from './files/file-revisits.ts';
import { LocalFiles } from './files/local-files.ts';
import { type FolderCrawlParts, visitsAgain } from './folder-crawl-parts.ts';
import type { LearnedState } from './learning/learned-state.ts';
import { type FocusSnapshot, type OpenedFocus, openFocus } from './learning/open-focus.ts';
import { openLearnedState } from './learning/open-learned-state.ts';
import { type LoadWatch, watchLoad } from './load/load-watch.ts';
import { startMonitor } from './monitor/start-monitor.ts';
import { type OpenedFeedHubs, openFeedHubs } from './notify/open-feed-hubs.ts';
import { openPushConsumer } from './notify/open-push-consumer.ts';
import { openWebhooks } from './notify/open-webhooks.ts';
import type { PushConsumer } from './notify/push-consumer.ts';
import { openConductor } from './open-conductor.ts';
import { heldByRules, openFilter } from './open-filter.ts';
import { keptOrder } from './order-change.ts';
import { Sinks } from './plugins/sinks.ts';
import { formatClockJump } from './report/clock-jump.ts';
import type { RunRecord } from './report/run-record.ts';
import { restoreOrder } from './restore-order.ts';
import { type OpenedRevisits, openRevisitScheduler } from './revisits/open-revisit-scheduler.ts';
import { PageWeights } from './revisits/page-weights.ts';
import { neverAgain, type RevisitRule } from './revisits/revisit-rule.ts';
import { isOver, planRound, type RoundRecord, revisitsOfRound, roundRule } from './revisits/round.ts';
import { SeedMoves } from './seed-moves.ts';
import { limitsOf, mayComeIn, rulesKeyOf, topicKeyOf } from './settings-to-parts.ts';
import { openSource } from './visit/open-source.ts';

/** What a run decides by, and has learnt. */
interface Learnt {
  readonly learnedState: LearnedState;
  readonly filter: FilterChain;
  readonly seedMoves: SeedMoves;
  readonly pushConsumer: PushConsumer;
  readonly revisit: FileRevisits;
  readonly files: LocalFiles;
  readonly load: Pick<LoadWatch, 'allowed'>;
  readonly revisits?: OpenedRevisits;
  readonly focus?: OpenedFocus;
}

const MAINTAIN_EVERY_MS = 5000;

/** One crawl in its folder, from seeds to summary. */
export class FolderCrawl implements Crawl {
  readonly #parts: FolderCrawlParts;
  #run: RunRecord;
  #conductor: Conductor | undefined;
  readonly #control: ControlConsumer;
  readonly #stopped = new AbortController();
  #stopping = false;
  #maintainedAt = 0;
  #hasRun = false;
  #shipping: Promise<UnshippedFiles> | undefined;
  /** Warnings from before the run, when nobody listens yet. */
  readonly #unheard: string[];

  constructor(parts: FolderCrawlParts) {
    this.#parts = parts;
    this.#run = parts.run;
    this.#unheard = [...(parts.notices ?? [])];
    this.#control = new ControlConsumer({ ...parts, store: parts.control, stop: () => this.stop() });
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get folders(): readonly string[] {
    return rootsOf(this.#run.seeds);
  }

  async addSeeds(given: readonly (string | Seed)[]): Promise<void> {
    const { state, order, settings, clock } = this.#parts;
    const { version, urlOptions } = this.#run;
    const complete = await completeSeeds(given, this.#run.seeds, () =>
      openSource({ folder: this.#parts.folder, settings, version, clock }),
    );
    const seeds = complete.seeds.map(({ url }) => canonicalSeed(url, urlOptions));
    refuseFolders(seeds, this.#parts.node !== undefined);
    const seedScopes = mergeSeedScopes(this.#run.seedScopes, seeds, complete.seeds);
    this.#remember({ seeds: [...new Set([...this.#run.seeds, ...seeds])], ...(seedScopes && { seedScopes }) });
    if (given.length > 0 || this.#run.seeds.length > 0) await this.#parts.node?.publish(this.#run);
    this.#unheard.push(...complete.notices, ...(await addSeeds(seeds, state, order, this.#forgotten)));
    this.#conductor?.notice();
  }

  get #folderRules(): Parameters<typeof rulesKeyOf>[2] {
    return { ...this.#run, forgotten: this.#forgotten };
  }

  get #forgotten(): readonly ForgottenEntry[] {
    return this.#parts.state.read<ForgottenPages>('forgotten')?.entries ?? [];
  }

  async hasWork(): Promise<boolean> {
    return this.#run.seeds.length > 0 || (await this.#parts.state.frontier.counts()).known > 0;
  }

  async run(): Promise<CrawlSummary> {
    const { state, clock } = this.#parts;
    const began = performance.now();
    const cpu = process.cpuUsage();
    for (const message of this.#unheard.splice(0)) this.#parts.events.emit('warning', { code: 'NOTICE', message });
    const { ended, heldBack } = await this.#conduct();
    this.#hasRun = true;
    if (this.#parts.round !== undefined && isOver(ended)) this.#endRound();
    this.#remember({ endedAt: clock.now(), ended, heldBack: heldBack?.urls ?? 0 });
    const { user, system } = process.cpuUsage(cpu);
    const totals = await state.pages.totals();
    const round = this.#parts.round === undefined ? undefined : state.read<RoundRecord>('round');
    return {
      ended,
      ...totals,
      ...(round !== undefined && totals.revisits !== undefined
        ? { revisits: revisitsOfRound(totals.revisits, round) }
        : {}),
      seconds: (performance.now() - began) / 1000,
      cpuSeconds: (user + system) / 1e6,
      maxRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      frontier: await state.frontier.counts(),
      ...(heldBack === undefined || heldBack.urls === 0 ? {} : { heldBack }),
    };
  }

  async #conduct(): Promise<{ readonly ended: EndReason; readonly heldBack?: HeldBackUrls }> {
    if (!(await this.#control.waitUntilResumed(this.#stopped.signal))) return { ended: 'stopped' };
    const settings = this.#parts.live.current;
    const filter = openFilter({ ...this.#parts, settings }, this.#run, this.#forgotten);
    const learnedState = openLearnedState(this.#parts, filter);
    using weights = new PageWeights(this.#parts.folder, this.#parts.clock);
    using hubs = openFeedHubs(this.#parts);
    await this.#parts.importing?.queue(this.#parts.state, this.#parts.order);
    if (this.#parts.round !== undefined) await planRound(this.#parts.state, this.#parts.round);
    using revisits = await this.#openRevisits(weights, hubs);
    // In a crawl without end the visits of a round are visits like any others.
    if (this.#parts.round !== undefined && revisits !== undefined) this.#endRound();
    const focus = await this.#openFocus();
    const scheduler = revisits && { scheduler: revisits.scheduler };
    const heard = { filter, urlOptions: this.#run.urlOptions, ...scheduler };
    const pushConsumer = openPushConsumer(this.#parts, heard);
    const revisit = new FileRevisits(this.#revisitRule(weights, revisits), this.#fileRule(weights));
    await using files = this.#openFiles(filter, revisit);
    const seedMoves = new SeedMoves(filter, this.#parts.events);
    using load = watchLoad(this.#parts);
    const learnt: Learnt = {
      ...{ learnedState, filter, seedMoves, pushConsumer, revisit, files, load },
      ...(revisits && { revisits }),
      ...(focus && { focus }),
    };
    if (!(await restoreOrder(this.#parts, this.#run, () => this.#stopping))) return { ended: 'stopped' };
    this.#remember({ order: keptOrder(this.#parts.settings) });
    await using webhooks = openWebhooks(this.#parts, this.#run.version);
    webhooks.start();
    await using sinks = new Sinks(this.#parts.plugins.sinks);
    await using conductor = await this.#makeConductor(learnt, sinks);
    this.#conductor = conductor;
    if (this.#stopping) conductor.stop();
    await this.#startNode(conductor);
    await using _monitor = startMonitor(this.#parts, () => conductor.progress(), load);
    await this.#control.begin({
      ...{ state: this.#parts.state, order: this.#parts.order, ...heard },
      patternsChanged: () => this.#patternsChanged(filter),
      recall: () => conductor.recall(),
    });
    const ended = await conductor.run();
    learnedState.save();
    revisits?.scheduler.save();
    focus?.save();
    this.#parts.rendering?.save();
    // Whoever stops a crawl waits for it to end, and will start it again.
    if (ended === 'stopped') return { ended };
    const heldBack = await learnedState.heldBack();
    return { ended: ended === 'finished' && heldBack.urls > 0 ? 'held-back' : ended, heldBack };
  }

  /** From here on the node takes its share of the crawl. */
  async #startNode(conductor: Conductor): Promise<void> {
    const { node } = this.#parts;
    await node?.membership.start(node.share.frontier, {
      progress: () => conductor.progress(),
      notice: () => conductor.notice(),
    });
  }

  #endRound(): void {
    const { state, clock } = this.#parts;
    state.write('round', { ...state.read<RoundRecord>('round'), endedAt: clock.now() });
  }

  #openFocus(): Promise<OpenedFocus | undefined> {
    const { settings, state, fetchTexts, events } = this.#parts;
    return openFocus({
      settings,
      kept: state.read<FocusSnapshot>('focus'),
      write: (focus) => state.write('focus', focus),
      fetchTexts: (urls) => fetchTexts(urls, this.#stopped.signal),
      onMissing: (urls) => {
        const message = `These sample pages could not be had: ${urls.join(' ')}`;
        events.emit('warning', { code: 'SAMPLE_MISSING', message });
      },
    });
  }

  /** Looks after what takes no part in the single visit. True where URLs were let in. */
  async #maintain(learnt: Learnt, last?: boolean): Promise<boolean> {
    const { learnedState, revisits, focus } = learnt;
    const { order, state, clock, events } = this.#parts;
    await revisits?.scheduler.maintain();
    for (const jump of clock.takeJumps?.() ?? [])
      events.emit('warning', { code: 'CLOCK_JUMP', message: formatClockJump(jump) });
    if (Math.abs(clock.now() - this.#maintainedAt) >= MAINTAIN_EVERY_MS) {
      this.#maintainedAt = clock.now();
      const moves = order.moves ? order.maintain(clock.now()) : [];
      if (moves.length > 0) await state.frontier.move(moves);
      focus?.save();
      this.#parts.rendering?.save();
    }
    const asked = await this.#control.consume();
    const pushed = await learnt.pushConsumer.consume();
    const widened = await learnt.seedMoves.admitLinks(state);
    const found = await learnt.files.maintain(last);
    return (await learnedState.maintain(last)) || asked || pushed || widened || found;
  }

  /** What was crawled without a thought of later visits gets them now. */
  async #openRevisits(weights: PageWeights, hubs: OpenedFeedHubs | undefined): Promise<OpenedRevisits | undefined> {
    const { settings, state, clock, random } = this.#parts;
    if (!settings.continuous) return undefined;
    const weightOf = (url: CanonicalUrl) => weights.of(url);
    const opened = openRevisitScheduler({ settings, state, clock, random, weightOf, ...(hubs && { hubs: hubs.hubs }) });
    await opened.begin();
    await state.planVisits((page) => (isFileUrl(page.url) ? undefined : opened.rule.begin(page, clock.now())));
    return opened;
  }

  #revisitRule(weights: PageWeights, revisits: OpenedRevisits | undefined): RevisitRule {
    if (revisits !== undefined) return revisits.rule;
    const { importing, round } = this.#parts;
    if (importing === undefined && round === undefined) return neverAgain;
    const rule = roundRule({ ...this.#parts, weightOf: (url) => weights.of(url) });
    return importing === undefined ? rule : importing.rule(rule);
  }

  /** What is told of the visits of files; where none is visited twice there is nothing to tell. */
  #fileRule(weights: PageWeights): RevisitRule {
    if (!this.#parts.settings.continuous && !this.#parts.againFiles) return neverAgain;
    return roundRule({ ...this.#parts, weightOf: (url) => weights.of(url) });
  }

  #openFiles(filter: FilterChain, revisits: FileRevisits): LocalFiles {
    return new LocalFiles({
      ...{ ...this.#parts, filter, revisits },
      settings: () => this.#parts.live.current,
      seeds: () => this.#run.seeds,
      notice: () => this.#conductor?.notice(),
    });
  }

  stop(): void {
    this.#stopping = true;
    this.#stopped.abort();
    this.#conductor?.stop();
  }

  async progress(): Promise<CrawlProgress> {
    if (this.#conductor !== undefined) return this.#conductor.progress();
    const none = { pages: 0, requests: 0, bytes: 0, failed: 0, refused: 0, elapsedMs: 0, pagesPerSecond: 0 };
    return { ...none, inFlight: 0, frontier: await this.#parts.state.frontier.counts() };
  }

  async threads(): Promise<readonly ThreadUse[]> {
    return (await this.#conductor?.threads()) ?? [];
  }

  on<Name extends keyof CrawlEvents>(name: Name, listener: (event: CrawlEvents[Name]) => void): Disposable {
    return this.#parts.events.on(name, listener);
  }

  async ship(): Promise<UnshippedFiles | undefined> {
    this.#shipping ??= this.#parts.shipping?.finish();
    return await this.#shipping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#hasRun) await this.ship();
    } finally {
      await this.#parts.close();
    }
  }

  async #makeConductor(learnt: Learnt, sinks: Sinks): Promise<Conductor> {
    const { filter, learnedState, revisits, focus, load } = learnt;
    const { live, state, startWorkers, order, clock, events } = this.#parts;
    const settings = live.current;
    const rules = this.#rulesKey(filter);
    const topic = topicKeyOf(settings);
    const before = this.#run;
    if (before.rules !== '' && before.rules !== rules) await this.#judgeRefusedAgain(filter);
    // What another topic left aside may be on this one.
    if ((before.topic ?? '') !== topic) await state.reconsider((task) => filter.judge(task).admit, ['topic']);
    // Whoever fills the index leaves these pages out of it.
    state.write('excluded', settings.exclude);
    await this.#heedChangedSettings();
    const duplicatesOf = [...new Set([...(this.#run.duplicatesOf ?? []), ...settings.duplicatesOf])];
    const { scope, maxDepth } = settings;
    const within = { scope, ...(Number.isFinite(maxDepth) ? { maxDepth } : {}) };
    const { pages, bytes, requests } = await state.pages.totals();
    this.#remember({
      ...{ rules, topic, within, startedAt: clock.now(), requestsBefore: requests },
      ...(duplicatesOf.length === 0 ? {} : { duplicatesOf }),
    });
    const { kept } = await state.frontier.counts();
    return openConductor({
      frontier: state.frontier,
      startWorkers,
      rules: {
        urlOptions: this.#run.urlOptions,
        filter: this.#parts.importing?.filter ?? filter,
        order,
        revisit: learnt.revisit,
        maxRedirects: settings.maxRedirects,
        duplicateLinks: settings.duplicateLinks,
        learnt: (task) => learnedState.judgeLink(task),
        redirects: (from, to) => {
          if (learnt.seedMoves.follow(from, to)) learnedState.exempt(to);
        },
      },
      classifier: learnedState.classifier,
      ...(learnedState.forms === undefined ? {} : { forms: learnedState.forms }),
      learnt: () => learnedState.journal.take(),
      ...(sinks.any ? { sinks } : {}),
      holds: (task) => heldByRules(filter, task, settings) ?? learnedState.holds(task),
      ...(this.#parts.rows && { rows: this.#parts.rows }),
      ...{ isHeldHost: (host) => this.#control.isHeldHost(host), isPaused: () => this.#control.isPaused },
      maintain: (last) => this.#maintain(learnt, last),
      ...(revisits === undefined ? {} : { scheduler: revisits.scheduler }),
      ...(focus === undefined ? {} : { focus: focus.focus }),
      clock,
      events,
      limits: limitsOf(() => live.current, visitsAgain(this.#parts)),
      before: this.#parts.node?.membership.before ?? { pages: kept ?? pages, bytes },
      concurrency: () => (this.#parts.rendering?.isFull === true ? 0 : load.allowed),
      ...(this.#parts.node && { mayEnd: (isStillIdle) => this.#mayEnd(isStillIdle) }),
    });
  }

  #rulesKey(filter: FilterChain): string {
    const { live, plugins } = this.#parts;
    return rulesKeyOf(live.current, [...filter.beginnings], this.#folderRules, plugins.versions);
  }

  async #judgeRefusedAgain(filter: FilterChain): Promise<void> {
    const { state, settings } = this.#parts;
    await state.reconsider((task, by) => mayComeIn(by, settings) && filter.judge(task).admit);
  }

  async #patternsChanged(filter: FilterChain): Promise<void> {
    const { live, state } = this.#parts;
    filter.setPatterns(live.current);
    state.write('excluded', live.current.exclude);
    await this.#judgeRefusedAgain(filter);
    this.#remember({ rules: this.#rulesKey(filter) });
  }

  async #mayEnd(isStillIdle: () => Promise<boolean>): Promise<boolean> {
    return (await this.#parts.node?.membership.mayEnd(isStillIdle)) ?? true;
  }

  /** What other settings may turn is tried again; the user is told what they do not change. */
  async #heedChangedSettings(): Promise<void> {
    const { settings, state, events, random } = this.#parts;
    const changed = changedSettings(this.#run.kept, settings);
    const reopened = changed.length === 0 ? 0 : await state.retry((outcome) => mayTurn(changed, outcome));
    for (const message of changeNotices(changed, reopened))
      events.emit('warning', { code: 'SETTINGS_CHANGED', message });
    this.#remember({ kept: keptSettings(settings, random) });
  }

  #remember(change: Partial<RunRecord>): void {
    this.#run = { ...this.#run, ...change };
    this.#parts.state.write('run', this.#run);
  }
}
