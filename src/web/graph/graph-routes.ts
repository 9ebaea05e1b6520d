import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { pageReply, type Reply } from '../http/reply.ts';
import { BadRequest, numberOf, type WebRequest } from '../http/web-request.ts';
import type { GraphSource } from './folder-graph.ts';
import { graphView, ZOOMS, type Zoom } from './graph-view.ts';
import type { GraphScope } from './group-graph.ts';

const LONGEST = 4096;

/** The links of the crawl as a picture that leads from hosts to folders to pages. */
export class GraphRoutes {
  readonly #source: GraphSource | undefined;
  readonly #name: string;

  constructor(source: GraphSource | undefined, name: string) {
    this.#source = source;
    this.#name = name;
  }

  async graph(ask: WebRequest): Promise<Reply> {
    const scope = scopeOf(ask);
    const zoom = numberOf(ask, 'zoom', 1, 4, 1);
    if (!ZOOMS.includes(zoom as Zoom)) throw new BadRequest(`"zoom" is one of ${ZOOMS.join(', ')}.`);
    const graph = await this.#source?.grouped(scope);
    if (graph === undefined) {
      const text = 'Links are gathered with the search index, and none were yet.';
      return messageReply(this.#name, 404, 'No link graph', text);
    }
    const content = graphView(graph, scope, zoom as Zoom);
    const title = `Link graph · ${this.#name}`;
    return pageReply(pageFrame({ title, name: this.#name, content, section: 'graph' }));
  }
}

function scopeOf({ parameters }: WebRequest): GraphScope {
  const host = (parameters.get('host') ?? '').trim().toLowerCase();
  const prefix = parameters.get('prefix') || '/';
  if (host.length + prefix.length > LONGEST) throw new BadRequest('This address is too long.');
  if (!prefix.startsWith('/') || !prefix.endsWith('/'))
    throw new BadRequest('"prefix" is a path that begins and ends with a slash.');
  return host === '' ? { prefix: '/' } : { host, prefix };
}
