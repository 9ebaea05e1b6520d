import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateCrawlSettings } from '../../src/index.ts';
import { type AuditExpectations, audit } from '../../src/simulate/audit/audit.ts';
import type { AuditReport } from '../../src/simulate/audit/audit-report.ts';
import { formatAudit } from '../../src/simulate/audit/format-audit.ts';
import type { SyntheticWeb } from '../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import type { WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../../src/simulate/server/child-web.ts';
import type { Check } from '../report/bench-result.ts';
import { type Cores, keepTo, ownCores } from './cores.ts';
import type { CrawlMeasures, CrawlOptions } from './crawl.ts';
import { inChild } from './in-child.ts';

export interface AuditedCrawlOptions extends Omit<CrawlOptions, 'settings'> {
  readonly web: WebSpecOverrides;
  readonly settings: Partial<CreateCrawlSettings>;
  readonly expectations?: AuditExpectations;
  /** For the process of the crawl. */
  readonly nodeOptions?: readonly string[];
  readonly limitSeconds?: number;
  /** Keep server and crawler to cores; without it both may use all. Needs taskset: see cores.ts. */
  readonly cores?: Cores;
}

export interface AuditedCrawl extends CrawlMeasures {
  /** Of the crawl's process, its start included. */
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
  readonly serverCpuSeconds: number;
  readonly web: SyntheticWeb;
  readonly origins: readonly string[];
  readonly audit: AuditReport;
  readonly check: Check;
}

/** Crawls a synthetic web from one process to another and judges the crawl by the server's log. */
export async function auditedCrawl(what: string, options: AuditedCrawlOptions): Promise<AuditedCrawl> {
  const { web: spec, settings, expectations, nodeOptions, limitSeconds, cores, ...rest } = options;
  const allCores = cores === undefined ? undefined : ownCores().join(',');
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  try {
    if (cores !== undefined) keepTo(cores.server);
    await using server = await startWebProcess(spec, { logFile: join(folder, 'requests.jsonl') });
    const crawl: CrawlOptions = {
      ...rest,
      settings: {
        folder: join(folder, 'crawl'),
        seeds: server.origins,
        scope: 'any',
        delay: 0,
        // As the peers do: links, archive and duplicates. What the text costs is measured by itself.
        text: false,
        sitemaps: 'off',
        delayFactor: 0,
        backoffStart: 20,
        allowPrivate: true,
        ...(settings.dnsServers === undefined ? { hosts: server.hostsMap } : {}),
        ...settings,
      },
    };
    if (cores !== undefined) keepTo(cores.crawler);
    const { result, cpuSeconds, maxRssMb } = await inChild<CrawlMeasures>(
      'harness/crawl.ts',
      crawl,
      nodeOptions,
      limitSeconds,
    );
    await server.close();
    const serverCpuSeconds = await server.cpuSeconds();
    const { web, origins } = server;
    const report = audit(await server.log(), truth(web, { seeds: origins, agent: 'orbweaver' }), expectations);
    if (!report.passed) console.error(formatAudit(report), result.summary);
    const check: Check = {
      kind: 'correct',
      what: `${what}: nothing missed, nothing twice, no rule broken`,
      found: report.passed ? `${report.requests} requests` : `failed: ${report.failures.join(', ')}`,
      passed: report.passed,
    };
    return { ...result, cpuSeconds, maxRssMb, serverCpuSeconds, web, origins, audit: report, check };
  } finally {
    if (allCores !== undefined) keepTo(allCores);
    rmSync(folder, { recursive: true, force: true });
  }
}
