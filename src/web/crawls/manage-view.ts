import type {
  CrawlDraft,
  CrawlTemplate,
  DraftProblems,
  LibraryCrawl,
  TrashedCrawl,
} from '../../contracts/crawl-library.ts';
import { EMPTY_DRAFT } from '../../crawls/crawl-draft.ts';
import { describeExit } from '../../crawls/describe-end.ts';
import { choiceOf } from '../../crawls/run-times.ts';
import { type Html, html } from '../frame/html.ts';
import { ownLink } from '../frame/links.ts';
import { formatCount, formatSize } from '../frame/written-amount.ts';
import { writtenMinute } from '../frame/written-date.ts';
import { actionButtons, hiddenToken } from './action-buttons.ts';
import { ago, conditionBadge, crawlLink, freshness, isBusy, manageLink, nextRun, writtenSize } from './crawl-words.ts';
import { FormFields } from './form-fields.ts';

export interface ManageParts {
  readonly crawl: LibraryCrawl;
  readonly log: string;
  readonly now: number;
  /** Undefined where nothing may be changed from here. */
  readonly token: string | undefined;
  /** What somebody typed, where it could not be taken. */
  readonly typed?: CrawlDraft;
  readonly problems?: DraftProblems;
}

/** One crawl: how it stands, what can be done with it, when it runs, what it printed. */
export function manageView(parts: ManageParts): Html {
  const { crawl, token, typed, problems = {} } = parts;
  const { name } = crawl;
  return html`<article class="manage">
<h1><bdi>${name}</bdi></h1>
<div data-live="${manageLink(name)}?part=1"${isBusy(crawl) && html` data-every="2"`}>${statusView(parts)}</div>
${
  token !== undefined &&
  crawl.condition !== 'foreign' &&
  html`<section class="card"><h2>When it runs</h2>
<form method="post" action="${manageLink(name)}/repeat">${hiddenToken(token)}${new FormFields(typed ?? draftOf(crawl), problems).repeat()}<div class="buttons"><button type="submit">Save</button></div></form></section>
<section class="card"><h2>Delete</h2><p>Its folder goes to the trash, from which it can be brought back.</p>
<p><a class="button quiet" href="${manageLink(name)}/delete">Delete this crawl …</a></p></section>`
}
</article>`;
}

/** What changes while it runs. */
export function statusView({ crawl, log, now, token }: ManageParts): Html {
  const { note, facts, run, name, folder } = crawl;
  const exit = run === undefined ? undefined : describeExit(run);
  return html`<p class="ways">${facts !== undefined || crawl.condition === 'imported' ? html`<a href="${crawlLink(name)}">Search its pages</a> <a href="${crawlLink(name)}dashboard">Dashboard</a>${facts !== undefined && html` <a href="${crawlLink(name)}control">Control</a>`} <a href="${crawlLink(name)}report">Report</a> <a href="${crawlLink(name)}changes">Changes</a>` : html`Nothing can be searched yet.`}</p>
<section class="card"><p class="standing">${conditionBadge(crawl)} ${note}</p>
<dl class="facts-list">
${
  facts !== undefined &&
  html`<div><dt>Begins at</dt><dd><bdi>${facts.seeds.slice(0, 3).join(' · ')}</bdi>${facts.seeds.length > 3 && ` and ${formatCount(facts.seeds.length - 3)} more`}</dd></div>
<div><dt>Pages</dt><dd>${formatCount(facts.pages)}</dd></div><div><dt>Waiting URLs</dt><dd>${formatCount(facts.queued)}</dd></div><div><dt>Hosts</dt><dd>${formatCount(facts.hosts)}</dd></div>
<div><dt>Received</dt><dd>${formatSize(facts.bytes)} in ${formatCount(facts.requests)} requests</dd></div><div><dt>Last visit</dt><dd>${freshness(crawl, now)}</dd></div>
${facts.startedAt !== undefined && html`<div><dt>Last run</dt><dd>began ${ago(facts.startedAt, now)}${facts.endedAt !== undefined && html`, ended ${writtenMinute(facts.endedAt)}`}</dd></div>`}`
}
<div><dt>On disk</dt><dd>${writtenSize(crawl)} in <code>${folder}</code></dd></div>
<div><dt>Next run</dt><dd>${nextRun(crawl, now)}</dd></div>
${exit !== undefined && html`<div><dt>Last process</dt><dd>${exit}</dd></div>`}
</dl>
${token !== undefined && html`<div class="buttons">${actionButtons(crawl, token, manageLink(name))}</div>`}
${log !== '' && html`<details class="log"><summary>Log</summary><pre tabindex="0">${log}</pre></details>`}</section>`;
}

export function deleteView({ crawl, token, now }: ManageParts): Html {
  const { name, facts } = crawl;
  return html`<article class="manage"><h1>Delete <bdi>${name}</bdi>?</h1>
${
  isBusy(crawl)
    ? html`<p>It is running. Stop it first.</p><p><a class="button" href="${manageLink(name)}">Back</a></p>`
    : html`<p>${facts === undefined ? 'Its folder' : `Its ${formatCount(facts.pages)} pages`} (${writtenSize(crawl)}${facts?.lastVisit !== undefined && html`, last visit ${ago(facts.lastVisit, now)}`}) and its schedule are taken from the list. The folder is moved to the trash, and can be brought back until it is deleted there.</p>
<form method="post" action="${manageLink(name)}/delete" class="buttons">${token !== undefined && hiddenToken(token)}<button type="submit">Move to the trash</button> <a class="button quiet" href="${manageLink(name)}">Keep it</a></form>`
}</article>`;
}

export function trashView(crawls: readonly TrashedCrawl[], token: string | undefined, now: number): Html {
  return html`<h1>Trash</h1>
${crawls.length === 0 ? html`<p>Nothing is in the trash.</p>` : html`<p>Deleted crawls keep their place on the disk until they are deleted here.</p>`}
<ul class="trash">${crawls.map(
    ({ id, name, deletedAt }) =>
      html`<li><b><bdi>${name}</bdi></b> <small>deleted ${ago(deletedAt, now)}</small>${token !== undefined && html`<form method="post" action="/trash/restore">${hiddenToken(token)}<input type="hidden" name="id" value="${id}"><button type="submit" class="quiet">Bring back<span class="hidden"> ${name}</span></button></form> <a href="${ownLink('/trash/purge', { id })}">Delete for ever …<span class="hidden"> ${name}</span></a>`}</li>`,
  )}</ul>`;
}

/** What cannot be undone is confirmed by typing the name. */
export function purgeView({ id, name }: TrashedCrawl, token: string, wrong: boolean): Html {
  return html`<article class="manage"><h1>Delete <bdi>${name}</bdi> for ever?</h1>
<p>Its archive, its index and everything that is known of its pages are deleted from the disk. This cannot be undone.</p>
<form method="post" action="/trash/purge">${hiddenToken(token)}<input type="hidden" name="id" value="${id}">
<div class="field"><label for="confirm">Type its name to confirm: <b><bdi>${name}</bdi></b></label><input id="confirm" name="confirm" type="text" autocomplete="off"${wrong && html` aria-invalid="true" aria-describedby="confirm-wrong"`}>${wrong && html`<p class="wrong" id="confirm-wrong">This is not its name.</p>`}</div>
<div class="buttons"><button type="submit">Delete for ever</button> <a class="button quiet" href="/trash">Keep it</a></div></form></article>`;
}

export function templatesView(templates: readonly CrawlTemplate[], token: string | undefined): Html {
  return html`<h1>Templates</h1><p>Answers to begin a new crawl with. Save your own at the end of the form of a <a href="/new">new crawl</a>.</p>
<ul class="trash">${templates.map(
    ({ id, name, about, builtIn }) =>
      html`<li><a href="${ownLink('/new', { template: id })}"><b>${name}</b></a> <small>${builtIn ? about : 'your own'}</small>${!builtIn && token !== undefined && html`<form method="post" action="/templates/delete">${hiddenToken(token)}<input type="hidden" name="id" value="${id}"><button type="submit" class="quiet">Delete<span class="hidden"> ${name}</span></button></form>`}</li>`,
  )}</ul>`;
}

function draftOf({ schedule, continuous }: LibraryCrawl): CrawlDraft {
  if (schedule !== undefined) return { ...EMPTY_DRAFT, ...choiceOf(schedule) };
  return { ...EMPTY_DRAFT, repeat: continuous ? 'continuous' : 'once' };
}
