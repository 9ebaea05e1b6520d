import type { MonitorReader, MonitorStore } from '../contracts/state/monitor.ts';
import { openMonitorForReading } from './monitor/monitor-database.ts';
import { SqliteMonitor } from './monitor/sqlite-monitor.ts';
import { SqliteMonitorReader } from './monitor/sqlite-monitor-reader.ts';

/** Where the crawl in a folder notes how it goes; made where there is none. For the process that crawls. */
export function openMonitor(folder: string): MonitorStore {
  return new SqliteMonitor(folder);
}

/** What was noted so far; undefined where nothing was. */
export function openMonitorReader(folder: string): MonitorReader | undefined {
  const db = openMonitorForReading(folder);
  return db && new SqliteMonitorReader(db);
}
