import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { Chart } from '../plots/chart.ts';
import { svgChart } from '../plots/svg-chart.ts';
import { textTable } from '../plots/text-table.ts';
import { type LaboratoryReport, reportAsJson } from './laboratory-report.ts';
import { reportCharts } from './report-charts.ts';
import { reportPage } from './report-page.ts';
import { formatSource, reportTables } from './report-tables.ts';

/** A report for the terminal. */
export function describeReport(report: LaboratoryReport): string {
  const tables = reportTables(report).map((table) => `${table.title}\n\n${textTable(table)}`);
  return `${[formatSource(report.source), ...tables, ...report.notes].join('\n\n')}\n`;
}

/** Writes index.html, results.json and each plot as SVG. Answers with the names of the files. */
export function writeLaboratoryReport(folder: string, report: LaboratoryReport, version: string): string[] {
  const charts = reportCharts(report);
  const caption = `Orbweaver ${version}. ${formatSource(report.source)}. Seed ${report.seed}.`;
  const files = new Map<string, string>([
    ['index.html', reportPage(report, charts, caption)],
    ['results.json', `${reportAsJson(report)}\n`],
  ]);
  makeReportFolder(folder);
  for (const [name, content] of files) writing(folder, () => writeFileSync(join(folder, name), content));
  return [...files.keys(), ...writePlots(folder, charts, caption)];
}

/** Writes each plot as SVG. Answers with the names of the files. */
export function writePlots(folder: string, charts: readonly Chart[], caption: string): string[] {
  makeReportFolder(folder);
  return charts.map((chart) => {
    const name = `${chart.name}.svg`;
    writing(folder, () => writeFileSync(join(folder, name), svgChart(chart, caption)));
    return name;
  });
}

/** Asked for before long replays: a folder that cannot be made would waste them. */
export function makeReportFolder(folder: string): void {
  writing(folder, () => makeFolder(folder));
}

function writing(folder: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `${folder} cannot be written to (${(cause as Error).message}).`, {
      remedy: 'Give --out a folder that can be made, or one that is yours.',
      cause,
    });
  }
}
