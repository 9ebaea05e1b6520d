import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateCrawlSettings } from '../../src/index.ts';
import type { AuditExpectations } from '../../src/simulate/audit.ts';
import { auditLogFile } from '../../src/simulate/audit-log-file.ts';
import type { AuditReport } from '../../src/simulate/audit-report.ts';
import { formatAudit } from '../../src/simulate/format-audit.ts';
import type { SyntheticWeb } from '../../src/simulate/synthetic-web.ts';
import type { WebSpecOverrides } from '../../src/simulate/web-spec.ts';
import type { Check } from '../report/bench-result.ts';
import type { CrawlMeasures, CrawlOptions } from './crawl.ts';
import { inChild } from './in-child.ts';
import { startWebProcess } from './web-process.ts';

export interface AuditedCrawlOptions extends Omit<CrawlOptions, 'settings'> {
  readonly web: WebSpecOverrides;
  readonly settings: Partial<CreateCrawlSettings>;
  readonly expectations?: AuditExpectations;
  /** For the process of the crawl. */
  readonly nodeOptions?: readonly string[];
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
  const { web: spec, settings, expectations, nodeOptions, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  try {
    const logFile = join(folder, 'requests.jsonl');
    await using server = await startWebProcess(spec, logFile);
    const crawl: CrawlOptions = {
      ...rest,
      settings: {
        folder: join(folder, 'crawl'),
        seeds: server.origins,
        scope: 'any',
        delay: 0,
        delayFactor: 0,
        allowPrivate: true,
        ...(settings.dnsServers === undefined ? { hosts: server.web.hosts.map() } : {}),
        ...settings,
      },
    };
    const { result, cpuSeconds, maxRssMb } = await inChild<CrawlMeasures>('harness/crawl.ts', crawl, nodeOptions);
    const { cpuSeconds: serverCpuSeconds } = await server.stop();
    const audit = auditLogFile(logFile, { seeds: server.origins, agent: 'orbweaver' }, expectations);
    if (!audit.passed) console.error(formatAudit(audit));
    const check: Check = {
      kind: 'correct',
      what: `${what}: nothing missed, nothing twice, no rule broken`,
      found: audit.passed ? `${audit.requests} requests` : `failed: ${audit.failures.join(', ')}`,
      passed: audit.passed,
    };
    const { web, origins } = server;
    return { ...result, cpuSeconds, maxRssMb, serverCpuSeconds, web, origins, audit, check };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
