import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlOperation } from '../../contracts/crawl-control.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { FolderControl } from '../../crawl/control/folder-control.ts';
import { type HtmlPart, html } from '../frame/html.ts';
import { messageReply } from '../frame/message-page.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { pageReply, type Reply } from '../http/reply.ts';
import { BadRequest, type WebRequest } from '../http/web-request.ts';
import { controlPanel } from './control-panel.ts';

const OPERATIONS_SHOWN = 20;
/** A crawl that runs takes up an operation within about a second. */
const WAIT_MS = 2000;

/** The crawl, steered by forms. */
export class ControlRoutes {
  readonly #control: FolderControl | undefined;
  readonly #name: string;

  constructor(control: FolderControl | undefined, name: string) {
    this.#control = control;
    this.#name = name;
  }

  /** For other pages to show; nothing for those who may only read, and where nothing can be steered. */
  panel({ visitor }: WebRequest): HtmlPart {
    if (this.#control === undefined || visitor?.role !== 'control' || visitor.csrf === undefined) return false;
    return controlPanel(this.#control.view(), { csrf: visitor.csrf, operations: [], isWhole: false });
  }

  page({ visitor }: WebRequest): Reply {
    if (this.#control === undefined) return this.#nothing();
    const view = this.#control.view();
    const csrf = visitor?.role === 'control' ? visitor.csrf : undefined;
    const operations = this.#control.operations(OPERATIONS_SHOWN);
    const content = html`<article class="wide-page"><header class="page-head"><h1>Control</h1></header>${controlPanel(view, { csrf, operations, isWhole: true })}</article>`;
    return pageReply(
      pageFrame({
        ...{ title: `Control · ${this.#name}`, name: this.#name, content },
        ...{ extra: 'dashboard', section: 'dashboard' },
      }),
    );
  }

  /** Waits until the crawl has taken it up, so that the page that follows shows it. */
  async change({ form = new URLSearchParams() }: WebRequest): Promise<Reply> {
    if (this.#control === undefined) return this.#nothing();
    const recorded = this.#control.ask(operationOf(form), 'page');
    if (this.#control.view().running) await this.#control.settled(recorded, WAIT_MS);
    const location = form.get('from') === 'dashboard' ? '/dashboard' : '/control';
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
  }

  #nothing(): Reply {
    return messageReply(this.#name, 404, 'No crawl', 'There is no crawl here that could be steered.');
  }
}

function operationOf(form: URLSearchParams): CrawlOperation {
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const kind = text('do');
  switch (kind) {
    case 'pause':
    case 'resume':
    case 'stop':
      return { kind };
    case 'set':
      return { kind, name: text('name'), value: text('value') };
    case 'reset':
      return { kind: 'set', name: text('name'), value: null };
    case 'hold-host':
    case 'open-host':
      return { kind: 'host', host: text('host') as HostKey, state: kind === 'hold-host' ? 'hold' : 'open' };
    case 'hold-pattern':
      return { kind: 'pattern', pattern: text('pattern'), state: 'hold' };
    case 'open-pattern':
      return { kind: 'pattern', pattern: text('pattern'), state: 'open' };
    case 'learn-pattern':
      return { kind: 'pattern', pattern: text('pattern'), state: 'learn' };
    case 'submit':
    case 'requeue':
      return { kind, urls: urlsOf(text('urls')) };
    default:
      throw new BadRequest('This form says nothing that could be done.');
  }
}

function urlsOf(text: string): readonly string[] {
  const urls = text.split(/\s+/).filter((part) => part !== '');
  if (urls.length === 0) throw new OrbweaverError('USAGE', 'No URL was given.');
  return urls;
}
