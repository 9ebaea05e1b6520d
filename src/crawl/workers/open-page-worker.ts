import { join } from 'node:path';
import type { ArchiveDisk } from '../../archive/archive-disk.ts';
import { openWarcArchive } from '../../archive/warc-archive.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import type { RuleSet } from '../../contracts/content/extraction-rules.ts';
import type { HandOverEnd } from '../../contracts/handed-visit.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { CanonicalUrl, HostKey, Origin } from '../../contracts/url.ts';
import { ExactDuplicates } from '../../dedupe/exact-duplicates.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { openBodyFile } from '../../fetch/body/body-file.ts';
import { BodyMemory } from '../../fetch/body/body-memory.ts';
import { NO_PLUGINS, type Plugins } from '../../plugins/plugins.ts';
import { MediaTypeRule } from '../../scope/media-type-rule.ts';
import { formHosts } from '../../seeds/forms/form-hosts.ts';
import { sitemapPlaces } from '../../seeds/sitemap-places.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { politenessField } from '../audit/politeness-note.ts';
import { ContentExtractor } from '../content/content-extractor.ts';
import { DocumentConverter } from '../content/document-converter.ts';
import type { DescriberLooks, DocumentDescriber } from '../content/document-describer.ts';
import { LARGE_PAGE, LARGE_PAGE_OF_FEW_HOSTS } from '../content/large-pages.ts';
import { openReader, type ReadingOptions, resolverOf } from '../content/page-reader.ts';
import { PageReading } from '../content/page-reading.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { PageExtraction } from '../extraction/page-extraction.ts';
import { openFileFetcher } from '../files/open-file-fetcher.ts';
import { isReplay } from '../foreign/replay-settings.ts';
import { PageHandlers } from '../plugins/page-handlers.ts';
import { PageRendering, type RenderService } from '../rendering/page-rendering.ts';
import { conversionLimitsOf, isFocused, sketchMethodOf, urlOptionsOf } from '../settings-to-parts.ts';
import { ExactCopies } from '../visit/exact-copies.ts';
import { openSource } from '../visit/open-source.ts';
import { PageAnswers } from '../visit/page-answer.ts';
import { PageArchive } from '../visit/page-archive.ts';
import { PageContent } from '../visit/page-content.ts';
import { PageFailures } from '../visit/page-failure.ts';
import { PageHandOver } from '../visit/page-hand-over.ts';
import { PageRequests, type VisitSigns } from '../visit/page-request.ts';
import type { VisitStages } from '../visit/pipeline.ts';
import { ProbeRequests } from '../visit/probe-requests.ts';
import { RobotsGate } from '../visit/robots-gate.ts';
import { RobotsTurn } from '../visit/robots-turn.ts';
import { whileLeased } from './leased-fetcher.ts';

export interface PageWorkerOptions extends VisitSigns {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  /** Names the archive files of this worker. */
  readonly writerId: string;
  /** Reads what is settled. */
  readonly pages: PageStore;
  /** Of the crawl, as they are now: folders among them may be read. */
  readonly seeds: () => readonly string[];
  /** How many share the memory for bodies. */
  readonly workers?: number;
  /** So few that larger pages may keep all of them waiting. */
  readonly hasFewHosts?: boolean;
  readonly clock?: Clock;
  /** Loaded before there are hosts that could wait for it. */
  readonly describer?: DocumentDescriber;
  /** Absent: none. */
  readonly plugins?: Plugins;
  /** What users want to have read from pages; absent: nothing. */
  readonly ruleSets?: readonly RuleSet[];
  /** The writing side of the archive. */
  readonly disk?: ArchiveDisk;
  /** Whether a request to a host may begin, or go on, now; absent: always. */
  readonly isAllowed?: (host: HostKey) => boolean;
  /** Absent where no index is filled beside the crawl. */
  readonly handOver?: HandOverEnd;
  /** Shows pages in a browser; absent where none is shown. */
  readonly rendering?: RenderService;
}

export interface OpenedPageWorker extends AsyncDisposable {
  /** Of each visit; see `visitPage`. */
  readonly stages: VisitStages;
  /** Looks a name up ahead of the first request. Never rejects. */
  addressOf(host: HostKey): Promise<string>;
}

/** Everything one page worker needs, in whatever thread it runs. */
export function openPageWorker(options: PageWorkerOptions): OpenedPageWorker {
  const { folder, settings, version, writerId, pages, clock = systemClock, plugins = NO_PLUGINS } = options;
  const { ruleSets = [] } = options;
  const archive = openWarcArchive({
    folder: archiveFolder(folder),
    writerId,
    clock,
    maxFileBytes: settings.archiveFileSize,
    level: settings.archiveCompressionLevel,
    sync: settings.durability === 'power' ? 'data' : 'none',
    ...(options.disk === undefined ? {} : { disk: options.disk }),
    software: `Orbweaver/${version}`,
    userAgent: userAgentOf(settings, version),
    robots: settings.robots ? 'obey' : 'ignore',
    more: politenessField(settings),
  });
  const handOver = options.handOver === undefined ? undefined : new PageHandOver(options.handOver);
  const earlierStates = settings.duplicatesOf.map((earlierFolder) => openStateReader(earlierFolder));
  const earlier = earlierStates.map(({ pages: stored }) => stored);
  const memory = new BodyMemory(settings.bodyMemory / (options.workers ?? 1), () =>
    openBodyFile(join(folder, `body-${writerId}.tmp`)),
  );
  const files = openFileFetcher({ settings, folder, clock, seeds: options.seeds });
  const network = openSource({ folder, settings, version, clock, memory, schemes: plugins.fetchers, files });
  const agent = robotsAgentOf(settings);
  const urlOptions = urlOptionsOf(settings, plugins);
  const reading: ReadingOptions = {
    resources: settings.resources,
    pictures: settings.images === 'fetch' && !settings.resources,
    maxLinks: settings.maxLinksPerPage,
    agent,
    urlOptions,
  };
  const reader = openReader(reading, () => extractor.describer);
  const converter = new DocumentConverter(conversionLimitsOf(settings), clock, {
    specifiers: plugins.converters.size === 0 ? [] : settings.plugins,
    context: { folder, userAgent: userAgentOf(settings, version) },
  });
  const further = [...plugins.converters.keys()];
  const { isAllowed } = options;
  const fetcher = isAllowed === undefined ? network.fetcher : whileLeased(network.fetcher, isAllowed, clock);
  const robots = settings.robots
    ? new RobotsTurn({
        gate: new RobotsGate(fetcher, pages, clock, {
          ...{ agent, maxAgeMs: settings.robotsMaxAge, tdmrep: settings.tdmrep, keepsDelays: !isReplay(settings) },
        }),
        archive,
        clock,
        ...(options.onUncertain === undefined ? {} : { onUncertain: options.onUncertain }),
        sitemapsOf: (origin, named) => sitemapsOf(settings.sitemaps, origin, named, urlOptions),
      })
    : undefined;
  const mostHere = options.hasFewHosts === true ? LARGE_PAGE_OF_FEW_HOSTS : LARGE_PAGE;
  const extractor = new ContentExtractor({
    ...{ converter, mostHere },
    text: settings.text,
    ...looksOf(settings, handOver !== undefined),
    links: reading,
    further: new Set(further),
    ...(options.describer === undefined ? {} : { describer: options.describer }),
  });
  const pageReading = new PageReading(reader, converter, reading, mostHere);
  const failures = new PageFailures(
    {
      ...{ maxRetries: settings.retries, maxRetryMs: settings.backoffStart, isFinal: isReplay(settings) },
      byStatus: settings.retryStatus,
    },
    clock,
  );
  const copies = new ExactCopies(new ExactDuplicates(pages, earlier));
  const pageArchive = new PageArchive({ archive, copies, clock, ...(handOver === undefined ? {} : { handOver }) });
  const content = new PageContent({
    ...{ clock, extractor, agent, reading: pageReading, resolver: resolverOf(urlOptions) },
    followNofollow: settings.followNofollow,
    storeNoindex: settings.storeNoindex,
    maxLinks: settings.maxLinksPerPage,
    wantsTopic: isFocused(settings),
    ...(settings.forms.length === 0 ? {} : { isFormHost: formHosts(settings.forms) }),
    continuous: settings.continuous,
    ...(settings.profile === '' ? {} : { profile: settings.profile }),
    robots,
  });
  const { rendering: service } = options;
  const mode = settings.render;
  const stages: VisitStages = {
    memory,
    robots,
    request: new PageRequests({
      ...{
        fetcher,
        failures,
        clock,
        mediaTypes: new MediaTypeRule({ ...settings, mediaTypes: [...settings.mediaTypes, ...further] }),
      },
      probes: new ProbeRequests({ reading: pageReading, extractor, clock }),
      ...signsOf(options),
    }),
    answer: new PageAnswers({ failures, archive: pageArchive, copies, urlOptions }),
    content,
    ...(service === undefined || mode === 'never'
      ? {}
      : {
          rendering: new PageRendering({
            mode,
            service,
            content,
            archive: pageArchive,
            retryMs: settings.backoffStart,
          }),
        }),
    copies,
    ...(plugins.handlers.length === 0 ? {} : { handlers: new PageHandlers(plugins.handlers, settings.documentTime) }),
    ...(ruleSets.length === 0 ? {} : { extraction: new PageExtraction(ruleSets, settings.extractTime) }),
    archive: pageArchive,
  };
  return {
    stages,
    addressOf: (host) => network.addressOf(host),
    async [Symbol.asyncDispose]() {
      await network[Symbol.asyncDispose]();
      await converter[Symbol.asyncDispose]();
      await archive.close();
      handOver?.[Symbol.dispose]();
      for (const state of earlierStates) state[Symbol.dispose]();
    },
  };
}

/** What is looked for in pages besides text, metadata and language. */
export function looksOf(settings: Settings, handsOver: boolean): DescriberLooks {
  const { nearDuplicates, softNotFound, mirrors, spam } = settings;
  const contentSketch = nearDuplicates || softNotFound || mirrors;
  return { contentSketch, sketchMethod: sketchMethodOf(settings), spam, headings: handsOver };
}

function signsOf({ onAnswered, onUncertain, onRead }: VisitSigns): VisitSigns {
  return {
    ...(onRead === undefined ? {} : { onRead }),
    ...(onAnswered === undefined ? {} : { onAnswered }),
    ...(onUncertain === undefined ? {} : { onUncertain }),
  };
}

/** The usual places that are tried: most sitemaps lie at the first two. */
const GUESSES = 2;

/** Well-known places are tried only where robots.txt names nothing: most hosts have nothing there. */
function sitemapsOf(
  which: Settings['sitemaps'],
  origin: Origin,
  named: readonly string[],
  urlOptions: UrlOptions,
): CanonicalUrl[] {
  if (which === 'off') return [];
  if (named.length > 0) return sitemapPlaces({ origin, named, urlOptions, guess: false });
  if (which !== 'all') return [];
  return sitemapPlaces({ origin, named, urlOptions }).slice(0, GUESSES);
}
