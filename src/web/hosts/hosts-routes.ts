import type { HostOrder, HostPlaceInList } from '../../contracts/state/host-directory.ts';
import type { CrawlFacts } from '../crawl-facts.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { pageReply, type Reply } from '../http/reply.ts';
import { BadRequest, type WebRequest } from '../http/web-request.ts';
import { hostView } from './host-view.ts';
import { HOST_ORDERS, hostsView } from './hosts-view.ts';

const HOSTS_ON_PAGE = 50;
const LONGEST_NAME = 300;
const LONGEST_URL = 8192;

/** All hosts of the crawl as a table, and what is known of one. */
export class HostRoutes {
  readonly #facts: CrawlFacts | undefined;
  readonly #name: string;

  constructor(facts: CrawlFacts | undefined, name: string) {
    this.#facts = facts;
    this.#name = name;
  }

  async hosts(ask: WebRequest): Promise<Reply> {
    if (this.#facts === undefined) return this.#noCrawl();
    const order = orderOf(ask);
    const descending = directionOf(ask, order);
    const search = textOf(ask, 'q', LONGEST_NAME);
    const after = placeOf(ask);
    const query = {
      order,
      descending,
      limit: HOSTS_ON_PAGE,
      ...(search !== '' && { search }),
      ...(after && { after }),
    };
    const page = await this.#facts.hosts(query);
    const content = hostsView(page, query, Date.now());
    const title = `Hosts · ${this.#name}`;
    return pageReply(pageFrame({ title, name: this.#name, content, section: 'hosts' }));
  }

  async host(ask: WebRequest): Promise<Reply> {
    if (this.#facts === undefined) return this.#noCrawl();
    const name = textOf(ask, 'name', LONGEST_NAME).toLowerCase();
    if (name === '') throw new BadRequest('No host was given: "name" is missing.');
    const url = textOf(ask, 'url', LONGEST_URL);
    const asked = url.startsWith('/') ? `http://${name}${url}` : url;
    const host = await this.#facts.host(name, asked === '' ? undefined : asked);
    if (host === undefined)
      return messageReply(this.#name, 404, 'Unknown host', `This crawl has met no URL of the host ${name}.`);
    const content = hostView(host, url, Date.now());
    const title = `${name} · ${this.#name}`;
    return pageReply(pageFrame({ title, name: this.#name, content, section: 'hosts' }));
  }

  #noCrawl(): Reply {
    return messageReply(this.#name, 404, 'No crawl', 'The documents here were imported; there are no hosts to show.');
  }
}

function orderOf({ parameters }: WebRequest): HostOrder {
  const order = parameters.get('sort') || 'queued';
  if (Object.hasOwn(HOST_ORDERS, order)) return order as HostOrder;
  throw new BadRequest(`"sort" is one of ${Object.keys(HOST_ORDERS).join(', ')}.`);
}

function directionOf({ parameters }: WebRequest, order: HostOrder): boolean {
  const direction = parameters.get('order') || HOST_ORDERS[order].first;
  if (direction === 'asc' || direction === 'desc') return direction === 'desc';
  throw new BadRequest('"order" is asc or desc.');
}

function textOf({ parameters }: WebRequest, name: string, longest: number): string {
  const text = (parameters.get(name) ?? '').trim();
  if (text.length > longest) throw new BadRequest(`"${name}" has at most ${longest} characters.`);
  return text;
}

/** As `next` of a page was written: the number of a row and its value. */
function placeOf({ parameters }: WebRequest): HostPlaceInList | undefined {
  const text = parameters.get('after');
  if (text === null || text === '') return undefined;
  const [, id, kind, value] = /^(\d{1,15})([ns])(.{0,300})$/s.exec(text) ?? [];
  const number = Number(value);
  if (id === undefined || (kind === 'n' && (value === '' || Number.isNaN(number))))
    throw new BadRequest('"after" is no place in this list.');
  return { id: Number(id), value: kind === 'n' ? number : value };
}
