import { type TruthOptions, truth } from '../model/truth.ts';
import { webFromDescription } from '../model/web-from-description.ts';
import { readRequestLog } from '../server/request-log-file.ts';
import { type AuditExpectations, audit } from './audit.ts';
import type { AuditReport } from './audit-report.ts';

/** Judges a log file alone: it names its web, and the web knows its truth. Without seeds: those of the web. */
export function auditLogFile(
  path: string,
  options: Partial<TruthOptions> = {},
  expectations: AuditExpectations = {},
): AuditReport {
  const log = readRequestLog(path, webFromDescription);
  return audit(log, truth(log.web, { seeds: log.web.seeds ?? [log.web.url(0)], ...options }), expectations);
}
