import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svgChart } from '../base/plots/svg-chart.ts';
import { textTable } from '../base/plots/text-table.ts';
import { type LaboratoryReport, reportAsJson } from './laboratory-report.ts';
import { reportCharts } from './report-charts.ts';
import { reportPage } from './report-page.ts';
import { reportTables, sourceInWords } from './report-tables.ts';

/** A report for the terminal. */
export function describeReport(report: LaboratoryReport): string {
  const tables = reportTables(report).map((table) => `${table.title}\n\n${textTable(table)}`);
  return `${[sourceInWords(report.source), ...tables, ...report.notes].join('\n\n')}\n`;
}

/** Writes index.html, results.json and each plot as SVG. Answers with the names of the files. */
export function writeLaboratoryReport(folder: string, report: LaboratoryReport, version: string): string[] {
  const charts = reportCharts(report);
  const caption = `Orbweaver ${version}. ${sourceInWords(report.source)}. Seed ${report.seed}.`;
  const files = new Map([
    ['index.html', reportPage(report, charts, caption)],
    ['results.json', `${reportAsJson(report)}\n`],
    ...charts.map((chart): [string, string] => [`${chart.name}.svg`, svgChart(chart, caption)]),
  ]);
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  return [...files.keys()];
}
