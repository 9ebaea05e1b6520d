import type { Chart } from '../plots/chart.ts';
import { escaped } from '../plots/escaped.ts';
import { svgChart } from '../plots/svg-chart.ts';
import { cellText, isNumber } from '../plots/text-table.ts';
import type { LaboratoryReport } from './laboratory-report.ts';
import { formatSource, reportTables, type TitledTable } from './report-tables.ts';

const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2933;--faint:#5b6670;--rule:#e3e7eb;--stripe:#f6f8f9}
@media (prefers-color-scheme:dark){:root{--paper:#14191e;--ink:#e8ecef;--faint:#9aa5af;--rule:#2c343c;--stripe:#1a2026}}
body{margin:0 auto;padding:2.5rem 1.25rem 4rem;max-width:62rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2.25rem 0 .5rem}
p{margin:.25rem 0;color:var(--faint)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.4rem .7rem;border-bottom:1px solid var(--rule);text-align:left;white-space:nowrap}
th{font-weight:600;color:var(--faint)}tbody tr:nth-child(even){background:var(--stripe)}.number{text-align:right}
figure{margin:1.25rem 0;border:1px solid var(--rule);border-radius:8px;overflow:hidden}
figure svg{display:block;width:100%;height:auto}`;

/** A page that needs nothing but itself: tables and plots, light or dark as the reader prefers. */
export function reportPage(report: LaboratoryReport, charts: readonly Chart[], caption: string): string {
  const notes = report.notes.map((note) => `<p>${escaped(note)}</p>`);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Orbweaver laboratory</title>',
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<h1>Orbweaver laboratory</h1>',
    `<p>${escaped(formatSource(report.source))}</p>`,
    ...reportTables(report).flatMap(tableOf),
    ...(notes.length === 0 ? [] : ['<h2>Notes</h2>', ...notes]),
    '<h2>Plots</h2>',
    ...charts.map((chart) => `<figure>${svgChart(chart, caption)}</figure>`),
    '</body>',
    '</html>\n',
  ].join('\n');
}

function tableOf({ title, columns, rows }: TitledTable): string[] {
  const right = columns.map((_, at) => rows.some((row) => isNumber(row[at])));
  const cells = (tag: 'th' | 'td', texts: readonly string[]): string =>
    texts.map((text, at) => `<${tag}${right[at] ? ' class="number"' : ''}>${escaped(text)}</${tag}>`).join('');
  return [
    `<h2>${escaped(title)}</h2>`,
    '<div class="wide"><table>',
    `<thead><tr>${cells('th', columns)}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${cells('td', row.map(cellText))}</tr>`).join('\n')}</tbody>`,
    '</table></div>',
  ];
}
