import { BlockFlow } from '../block-flow.ts';
import type { DocumentBuilder } from '../document-builder.ts';
import type { ZipArchive } from '../packed/zip-archive.ts';
import { readXmlPart } from '../xml/xml-part.ts';
import { ChartText } from './chart-text.ts';
import { DrawingText } from './drawing-text.ts';
import { partsOfType, type Relationships } from './ooxml-package.ts';

const MAX_FIGURES = 500;

/** The words of charts (as tables) and diagrams that a part refers to. */
export function readFigures(archive: ZipArchive, relationships: Relationships, builder: DocumentBuilder): void {
  const enough = () => builder.full;
  for (const part of partsOfType(relationships, 'chart').slice(0, MAX_FIGURES)) {
    const chart = new ChartText(builder.budget.limits.maxText);
    readXmlPart(archive, part, chart, { enough });
    chart.addTo(builder);
  }
  for (const part of partsOfType(relationships, 'diagramData', 'chartUserShapes').slice(0, MAX_FIGURES)) {
    const flow = new BlockFlow(builder, builder.budget.limits.maxText);
    const options = { relationships, link: (url: string, text: string) => builder.link(url, text) };
    readXmlPart(archive, part, new DrawingText(flow, options), { enough });
    flow.end();
  }
}
