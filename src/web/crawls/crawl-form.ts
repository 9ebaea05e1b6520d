import type { CrawlDraft, CrawlTemplate, DraftProblems } from '../../contracts/crawl-library.ts';
import { type Html, html, trusted } from '../frame/html.ts';
import { ownLink } from '../frame/links.ts';
import { hiddenToken } from './action-buttons.ts';
import { FormFields } from './form-fields.ts';

export interface CrawlFormParts {
  readonly draft: CrawlDraft;
  readonly problems: DraftProblems;
  readonly templates: readonly CrawlTemplate[];
  /** The template that the answers come from. */
  readonly chosen?: string | undefined;
  readonly token: string;
  /** Folders of this machine may be named. */
  readonly takesFolders: boolean;
}

const ADDRESSES = 'Addresses of web pages, one per line. Without http or https, https is tried first.';
const ADDRESSES_AND_FOLDERS = `${ADDRESSES} Also folders of this machine, such as /srv/notes: this server is reached from this machine alone.`;

/** The questions of a new crawl, in plain words. */
export function crawlForm({ draft, problems, templates, chosen, token, takesFolders }: CrawlFormParts): Html {
  const fields = new FormFields(draft, problems);
  const isWrong = Object.keys(problems).length > 0;
  const more = fields.wrong(
    'maxPages',
    'maxDuration',
    'delay',
    'exclude',
    'contact',
    'name',
    'cron',
    'time',
    'timeZone',
    'weekday',
  );
  return html`<nav class="templates" aria-label="Templates">${templates.map(
    ({ id, name, about }) =>
      html`<a href="${ownLink('/new', { template: id })}"${id === chosen && trusted(' aria-current="true"')}>${name}${about !== '' && html`<small>${about}</small>`}</a>`,
  )}</nav>
<form method="post" action="/new" class="new-crawl">${hiddenToken(token)}
${isWrong && html`<p class="wrong" role="alert">Something is missing or not right: see the marked fields.</p>`}
${fields.lines('addresses', 'Where to begin', takesFolders ? ADDRESSES_AND_FOLDERS : ADDRESSES, 2, 'https://example.org/')}
${fields.radios('scope', 'How far to follow links', [
  ['host', 'This site', 'Only the host of the address, such as www.example.org'],
  ['domain', 'This site and its subdomains', 'All hosts of the domain: www, docs, blog'],
  ['directory', 'This part of the site', 'Only what lies below the folder of the address'],
  ['pages', 'These pages alone', 'No link is followed'],
  ['any', 'Anywhere', 'Wherever links lead: set a limit or a topic'],
])}
${fields.text('topic', 'Only pages on a topic (optional)', 'In your own words. Links that promise such pages come first, and it ends when none are left.', { placeholder: 'jumping spiders of Europe' })}
<details class="more"${(more || draft.repeat !== 'once' || draft.maxPages !== '') && trusted(' open')}><summary>Limits, schedule and more</summary>
<div class="row">${fields.text('maxPages', 'At most this many pages', 'Empty: all of them.', { placeholder: '10000' })}
${fields.text('maxDuration', 'At most this long', 'Such as 30m, 2h or 1d.', { placeholder: '2h' })}
${fields.text('delay', 'Pause between two requests to a host', 'Empty: a second, longer where a host is slow.', { placeholder: '1s' })}</div>
${fields.repeat()}
${fields.lines('exclude', 'Leave out', 'Patterns of addresses, one per line: /private/* or *.zip', 2)}
${fields.text('contact', 'Your contact', 'An address of a page or a mailbox that site owners see in the requests.', { placeholder: 'https://example.org/bot' })}
${fields.box('allowPrivate', 'Machines of this network', 'Also ask addresses that are not public, such as an intranet or localhost')}
${fields.text('name', 'Name', 'Of the folder. Empty: the name of the host.')}
</details>
<div class="buttons"><button type="submit" name="do" value="preview">Preview</button> <button type="submit" name="do" value="start" class="quiet">Start without a preview</button></div>
<details class="more"><summary>Save these answers as a template</summary><div class="row"><div class="field"><label for="template-name">Name of the template</label><input id="template-name" name="templateName" type="text" maxlength="80" autocomplete="off"></div><button type="submit" name="do" value="template" class="quiet">Save</button></div></details>
</form>`;
}

/** All answers, for a form that only confirms them. */
export function hiddenDraft(draft: CrawlDraft): Html {
  return html`${Object.entries(draft).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}
