import type { StreamFormat } from '../../contracts/export.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { xmlText } from '../xml-text.ts';
import { changedMeanwhile, numberNodes } from './graph-nodes.ts';

const TOLD_EVERY = 1000;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="host" for="node" attr.name="host" attr.type="string"/>
<key id="anchor" for="edge" attr.name="anchor" attr.type="string"/>
<key id="nofollow" for="edge" attr.name="nofollow" attr.type="boolean"><default>false</default></key>
<graph id="links" edgedefault="directed">
`;
const TAIL = '</graph>\n</graphml>\n';

/** The link graph as GraphML: all nodes, then all edges. Two links between the same pages are two edges. */
export const graphmlFormat: StreamFormat = {
  ...{ target: 'stream', isCompressible: true, options: [], needsSameCrawl: true },
  async write(source, output, { from, progress }) {
    if (from === undefined) await output.write(HEAD);
    const nodes = await numberNodes(source, async (url, number) => {
      if (from === undefined) await output.write(nodeOf(url, number));
    });
    if (from !== undefined && from.state !== nodes.count) throw changedMeanwhile();
    let rows = from?.rows ?? 0;
    for await (const { source: page, target, nofollow, text, cursor } of source.links(from)) {
      const ends = `source="n${nodes.numberOf(page)}" target="n${nodes.numberOf(target)}"`;
      await output.write(`<edge id="e${rows}" ${ends}>${dataOf(text, nofollow)}</edge>\n`);
      rows++;
      if (rows % TOLD_EVERY === 0) progress(rows);
      if (output.isDue) await output.checkpoint({ cursor, rows, state: nodes.count });
    }
    await output.write(TAIL);
    progress(rows);
    return { rows };
  },
};

function nodeOf(url: string, number: number): string {
  const host = hostKeyOf(url as CanonicalUrl);
  return `<node id="n${number}"><data key="url">${xmlText(url)}</data><data key="host">${xmlText(host)}</data></node>\n`;
}

function dataOf(text: string, nofollow: boolean): string {
  const anchor = text === '' ? '' : `<data key="anchor">${xmlText(text)}</data>`;
  return `${anchor}${nofollow ? '<data key="nofollow">true</data>' : ''}`;
}
