import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlLibrary, LibraryCrawl } from '../../contracts/crawl-library.ts';
import { draftOf, settingsOfDraft } from '../../crawls/crawl-draft.ts';
import type { PlanPreviews } from '../../crawls/plan-previews.ts';
import { beginWith } from '../../crawls/templates.ts';
import { html } from '../frame/html.ts';
import { jsonReply, pageReply, type Reply } from '../http/reply.ts';
import { switchOf, type WebRequest } from '../http/web-request.ts';
import { crawlForm } from './crawl-form.ts';
import { isBusy, manageLink } from './crawl-words.ts';
import { libraryPage } from './library-frame.ts';
import { demoForm, listView } from './list-view.ts';
import {
  deleteView,
  type ManageParts,
  manageView,
  purgeView,
  statusView,
  templatesView,
  trashView,
} from './manage-view.ts';
import { planView } from './plan-view.ts';

export interface LibraryRoutesParts {
  readonly library: CrawlLibrary;
  readonly previews: PlanPreviews;
  readonly clock: Pick<Clock, 'now'>;
  /** Folders of this machine may be named. */
  readonly takesFolders: boolean;
  /** Of forms; undefined where nothing may be changed from here. */
  readonly token: string | undefined;
}

type Form = URLSearchParams;

const REFRESH_SECONDS = 5;
const NOT_HERE = 'You may look, but begin or change nothing here.';

/** The pages that concern all crawls of a library, and what their forms do. */
export class LibraryRoutes {
  readonly #parts: LibraryRoutesParts;

  constructor(parts: LibraryRoutesParts) {
    this.#parts = parts;
  }

  async list(ask: WebRequest, notice?: string): Promise<Reply> {
    const { library, token } = this.#parts;
    const crawls = await library.list();
    const content = listView(crawls, { now: this.#now, token });
    if (switchOf(ask, 'part')) return pageReply(content);
    const isRunning = crawls.some(isBusy);
    const isEmpty = !crawls.some(({ condition }) => condition !== 'foreign');
    const begin =
      token === undefined ? html`<p>${NOT_HERE}</p>` : isEmpty ? await this.#firstSteps(token) : quickStart(token);
    return libraryPage({
      title: 'Crawls',
      notice,
      ...(isRunning && { refresh: REFRESH_SECONDS }),
      content: html`<h1>${isEmpty ? 'Begin with a crawl' : 'Crawls'}</h1>
${begin}
<div data-live="/?part=1"${!isEmpty && html` data-every="${isRunning ? 2 : 10}"`}>${content}</div>`,
    });
  }

  async json(): Promise<Reply> {
    return jsonReply({ crawls: await this.#parts.library.list() });
  }

  async form(ask: WebRequest): Promise<Reply> {
    const { library, token } = this.#parts;
    if (token === undefined) return this.#notHere();
    const templates = await library.templates();
    const chosen = ask.parameters.get('template') ?? undefined;
    const draft = draftOf({
      get: (name) => ask.parameters.get(name) ?? text(beginWith(templates.find(({ id }) => id === chosen)), name),
    });
    const content = html`<h1>New crawl</h1>${crawlForm({ draft, problems: {}, templates, chosen, token, takesFolders: this.#parts.takesFolders })}${demoForm(token)}`;
    return libraryPage({ title: 'New crawl', content });
  }

  /** What the form of a new crawl was sent for. */
  async sendForm(form: Form): Promise<Reply> {
    const { library, previews, token = '' } = this.#parts;
    const draft = draftOf(form);
    const again = async (problems: Parameters<typeof crawlForm>[0]['problems'], notice?: string): Promise<Reply> => {
      const templates = await library.templates();
      const content = html`<h1>New crawl</h1>${crawlForm({ draft, problems, templates, token, takesFolders: this.#parts.takesFolders })}`;
      const isWrong = Object.keys(problems).length > 0;
      return libraryPage({ title: 'New crawl', content, notice, status: isWrong ? 422 : 200 });
    };
    switch (form.get('do')) {
      case 'change':
        return await again({});
      case 'template': {
        const problems = await library.saveTemplate(form.get('templateName') ?? '', draft);
        return problems === undefined ? seeOther('/templates') : await again({}, problems.name);
      }
      case 'start': {
        const made = await library.create(draft, this.#parts.takesFolders);
        if ('problems' in made) return await again(made.problems);
        await library.start(made.name);
        return seeOther(manageLink(made.name));
      }
      default: {
        const read = await settingsOfDraft(draft, this.#parts.takesFolders);
        if ('problems' in read) return await again(read.problems);
        return seeOther(`/plan/${previews.start(draft, read.settings).id}`);
      }
    }
  }

  plan(id: string): Reply | undefined {
    const { previews, token } = this.#parts;
    const preview = previews.get(id);
    if (preview === undefined || token === undefined) return undefined;
    const content = html`<div data-live="/plan/${id}?part=1"${preview.state === 'looking' && html` data-every="1"`}>${planView(preview, token, this.#now)}</div>`;
    return libraryPage({ title: 'Preview', content, ...(preview.state === 'looking' && { refresh: 2 }) });
  }

  planPart(id: string): Reply | undefined {
    const { previews, token } = this.#parts;
    const preview = previews.get(id);
    return preview && token !== undefined ? pageReply(planView(preview, token, this.#now)) : undefined;
  }

  cancelPlan(id: string): Reply {
    this.#parts.previews.cancel(id);
    return seeOther(`/plan/${encodeURIComponent(id)}`);
  }

  async demo(): Promise<Reply> {
    return seeOther(manageLink(await this.#parts.library.createDemo()));
  }

  async manage(name: string, ask: WebRequest): Promise<Reply | undefined> {
    const parts = await this.#manageParts(name);
    if (parts === undefined) return undefined;
    if (switchOf(ask, 'part')) return pageReply(statusView(parts));
    return this.#managePage(parts);
  }

  async confirmDelete(name: string): Promise<Reply | undefined> {
    const parts = await this.#manageParts(name);
    if (parts === undefined) return undefined;
    return this.#parts.token === undefined
      ? this.#notHere()
      : libraryPage({ title: `Delete ${name}`, content: deleteView(parts) });
  }

  /** What the buttons of a crawl do. Undefined where there is no such button. */
  async act(name: string, action: string, form: Form): Promise<Reply | undefined> {
    const { library } = this.#parts;
    const back = seeOther(form.get('back') === '/' ? '/' : manageLink(name));
    switch (action) {
      case 'start':
        await library.start(name);
        return back;
      case 'again':
        await library.start(name, { again: true });
        return back;
      case 'stop':
        await library.stop(name);
        return back;
      case 'kill':
        await library.stop(name, { atOnce: true });
        return back;
      case 'delete':
        await library.remove(name);
        return seeOther('/');
      case 'repeat': {
        const typed = draftOf(form);
        const problems = await library.repeat(name, typed);
        const parts = problems && (await this.#manageParts(name));
        return parts === undefined ? back : this.#managePage({ ...parts, typed, problems: problems ?? {} }, 422);
      }
      default:
        return undefined;
    }
  }

  async trash(): Promise<Reply> {
    const { library, token } = this.#parts;
    return libraryPage({ title: 'Trash', content: trashView(await library.trash(), token, this.#now) });
  }

  async confirmPurge(id: string, wrong = false): Promise<Reply | undefined> {
    const { library, token } = this.#parts;
    if (token === undefined) return this.#notHere();
    const found = (await library.trash()).find((trashed) => trashed.id === id);
    const status = wrong ? 422 : 200;
    return found && libraryPage({ title: `Delete ${found.name}`, content: purgeView(found, token, wrong), status });
  }

  async purge(form: Form): Promise<Reply | undefined> {
    const { library } = this.#parts;
    const id = form.get('id') ?? '';
    const found = (await library.trash()).find((trashed) => trashed.id === id);
    if (found === undefined) return undefined;
    if (form.get('confirm') !== found.name) return await this.confirmPurge(id, true);
    await library.purge(id);
    return seeOther('/trash');
  }

  async restore(form: Form): Promise<Reply> {
    return seeOther(manageLink(await this.#parts.library.restore(form.get('id') ?? '')));
  }

  async templates(): Promise<Reply> {
    const { library, token } = this.#parts;
    return libraryPage({ title: 'Templates', content: templatesView(await library.templates(), token) });
  }

  async removeTemplate(form: Form): Promise<Reply> {
    await this.#parts.library.removeTemplate(form.get('id') ?? '');
    return seeOther('/templates');
  }

  get #now(): number {
    return this.#parts.clock.now();
  }

  async #firstSteps(token: string) {
    const { library } = this.#parts;
    const templates = await library.templates();
    const { takesFolders } = this.#parts;
    const form = crawlForm({ draft: beginWith(undefined), problems: {}, templates, token, takesFolders });
    return html`<p class="lead">Name a web site, see what its crawl will come to, and search it. Or look around first:</p>${demoForm(token)}${form}`;
  }

  async #manageParts(name: string): Promise<ManageParts | undefined> {
    const { library, token } = this.#parts;
    const crawl: LibraryCrawl | undefined = await library.get(name);
    return crawl && { crawl, token, now: this.#now, log: crawl.condition === 'foreign' ? '' : await library.log(name) };
  }

  #managePage(parts: ManageParts, status = 200): Reply {
    const { crawl } = parts;
    const refresh = isBusy(crawl) ? { refresh: REFRESH_SECONDS } : {};
    return libraryPage({ title: crawl.name, content: manageView(parts), ...refresh, status });
  }

  #notHere(): Reply {
    return libraryPage({
      title: 'Not from here',
      status: 403,
      content: html`<h1>Not from here</h1><p>${NOT_HERE}</p>`,
    });
  }
}

/** After a form: the next page is asked for, so that reloading it sends nothing again. */
function seeOther(location: string): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

function text(draft: object, name: string): string | null {
  const value = (draft as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

function quickStart(token: string) {
  return html`<div class="quick"><form method="get" action="/new"><label class="hidden" for="quick">Address of a web site</label><input id="quick" name="addresses" type="text" placeholder="https://example.org/" autocomplete="off" spellcheck="false"><button type="submit">New crawl</button></form>
<form method="post" action="/demo"><input type="hidden" name="csrf" value="${token}"><button type="submit" class="quiet">Crawl the demo web</button></form></div>`;
}

/** What a form asked for cannot be done: our own faults are thrown on. */
export function refusedForm(error: unknown): Reply {
  if (!(error instanceof OrbweaverError) || error.code === 'INTERNAL') throw error;
  const status = error.code === 'FOLDER_NOT_A_CRAWL' ? 404 : error.code === 'SEARCH_BUSY' ? 503 : 409;
  const content = html`<h1>This could not be done</h1><p>${error.message}</p>${error.remedy !== undefined && html`<p>${error.remedy}</p>`}<p><a href="/">All crawls</a></p>`;
  return libraryPage({ title: 'Not done', content, status });
}
