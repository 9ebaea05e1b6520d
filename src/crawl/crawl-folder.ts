import { join } from 'node:path';

/** One crawl is one folder; these are the places in it. */
export function archiveFolder(folder: string): string {
  return join(folder, 'archive');
}

export function settingsPath(folder: string): string {
  return join(folder, 'orbweaver.yaml');
}

/** The table of all URLs (crawl/report/site): derived, made when somebody looks at it. */
export function reportPath(folder: string): string {
  return join(folder, 'report', 'report.db');
}

/** How the quality of a crawl went over time (crawl/quality), as last measured: derived, for `status` and the dashboard. */
export function qualityPath(folder: string): string {
  return join(folder, 'report', 'quality.json');
}
