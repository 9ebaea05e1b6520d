import type { RecordedOperation } from '../../contracts/crawl-control.ts';
import type { ControlView } from '../../crawl/control/folder-control.ts';
import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { isoTime, writtenMinute } from '../frame/written-date.ts';

export interface PanelOptions {
  /** Stands in every form; absent: whoever looks may change nothing. */
  readonly csrf: string | undefined;
  readonly operations: readonly RecordedOperation[];
  /** All forms, not only those that are needed at once. */
  readonly isWhole: boolean;
}

/** How a crawl stands by what was asked of it, and plain forms to ask for more: nothing here needs a script. */
export function controlPanel(view: ControlView, { csrf, operations, isWhole }: PanelOptions): Html {
  const form = (what: string, content: HtmlPart): HtmlPart =>
    csrf !== undefined &&
    html`<form method="post" action="/control" class="control"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="do" value="${what}">${!isWhole && html`<input type="hidden" name="from" value="dashboard">`}${content}</form>`;
  const isPaused = view.pausedAt !== undefined;
  const buttons = html`<div class="buttons">
${isPaused ? form('resume', html`<button>Resume</button>`) : (isWhole || view.running) && form('pause', html`<button>Pause</button>`)}
${view.running && form('stop', html`<button>Stop</button>`)}
${!isWhole && html`<a href="/control">Control</a>`}
</div>`;
  // The page around it tells how the crawl stands, but not that a pause is still to come, or holds for the next run.
  if (!isWhole)
    return html`<section class="controls brief" aria-label="Control">${buttons}${isPaused && !(view.running && view.isPauseTaken) && html`<p role="status">${stateOf(view)}</p>`}</section>`;
  return html`<section class="card controls" aria-label="Control">
<p class="state" role="status">${stateOf(view)}</p>
${buttons}
${forms(view, form)}
${lists(view, form)}
${operations.length > 0 && history(operations)}
</section>`;
}

function stateOf({ running, pausedAt, isPauseTaken }: ControlView): HtmlPart {
  if (pausedAt !== undefined) {
    const since = html`since ${writtenMinute(pausedAt)}`;
    if (!running) return html`Paused ${since}; no crawl is running. The next run waits until it is resumed.`;
    return isPauseTaken ? html`Paused ${since}.` : html`Pausing: the crawl has not taken it up yet.`;
  }
  return running ? 'Running.' : 'No crawl is running. What is asked here holds for the next run.';
}

type Form = (what: string, content: HtmlPart) => HtmlPart;

function forms({ changeable }: ControlView, form: Form): Html {
  return html`<div class="columns">
${form('submit', html`<h2>Submit URLs</h2><p><label for="submit-urls">One a line; they come first, as far as the scope admits them.</label></p><p><textarea id="submit-urls" name="urls" rows="3" required></textarea></p><p><button>Submit</button></p>`)}
${form('requeue', html`<h2>Fetch again</h2><p><label for="requeue-urls">Known URLs, one a line.</label></p><p><textarea id="requeue-urls" name="urls" rows="3" required></textarea></p><p><button>Fetch again</button></p>`)}
${form('set', html`<h2>Settings</h2><p><label for="set-name">Setting</label> <select id="set-name" name="name">${changeable.map((name) => html`<option>${name}</option>`)}</select></p><p><label for="set-value">Value</label> <input id="set-value" name="value" placeholder="2s, 16"></p><p><button>Change</button></p>`)}
${form('hold-host', html`<h2>Hold a host</h2><p><label for="hold-host">Host</label> <input id="hold-host" name="host" required placeholder="example.org"></p><p><button>Hold</button></p>`)}
${form('hold-pattern', html`<h2>Hold a pattern</h2><p><label for="hold-pattern">As the dashboard and "orbweaver traps" name it</label></p><p><input id="hold-pattern" name="pattern" required></p><p><button>Hold</button></p>`)}
${form('open-pattern', html`<h2>Open a pattern</h2><p><label for="open-pattern">A suspected trap that is none</label></p><p><input id="open-pattern" name="pattern" required></p><p><button>Open</button></p>`)}
</div>`;
}

function lists({ settings, heldHosts, patterns }: ControlView, form: Form): Html {
  const item = (text: HtmlPart, what: string, name: string, value: string, button: string): Html =>
    html`<li>${text} ${form(what, html`<input type="hidden" name="${name}" value="${value}"><button>${button}</button>`)}</li>`;
  const list = (title: string, items: readonly Html[]): HtmlPart =>
    items.length > 0 && html`<h2>${title}</h2><ul class="plain">${items}</ul>`;
  return html`
${list(
  'Changed settings',
  Object.entries(settings).map(([name, value]) =>
    item(html`<code>${name}</code> ${value === '' ? '(empty)' : value}`, 'reset', 'name', name, 'Reset'),
  ),
)}
${list(
  'Held hosts',
  heldHosts.map((host) => item(html`<code>${host}</code>`, 'open-host', 'host', host, 'Open')),
)}
${list(
  'Patterns set by hand',
  Object.entries(patterns).map(([pattern, state]) =>
    item(
      html`<code>${pattern}</code> ${state === 'hold' ? 'held' : 'open'}`,
      'learn-pattern',
      'pattern',
      pattern,
      'Leave to the crawl',
    ),
  ),
)}`;
}

function history(operations: readonly RecordedOperation[]): Html {
  return html`<h2>Operations</h2><div class="scroll" tabindex="0" role="region" aria-label="Operations"><table>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Outcome</th></tr></thead>
<tbody>${operations.map(
    ({ at, operation, outcome }) =>
      html`<tr><th scope="row"><time datetime="${isoTime(at)}">${isoTime(at).slice(0, 19).replace('T', ' ')}</time></th><td>${whatOf(operation)}</td><td>${outcome ?? 'waits for the crawl'}</td></tr>`,
  )}</tbody></table></div>`;
}

function whatOf(operation: RecordedOperation['operation']): string {
  switch (operation.kind) {
    case 'set':
      return operation.value === null ? `reset ${operation.name}` : `${operation.name} ${operation.value}`;
    case 'host':
      return `${operation.state} ${operation.host}`;
    case 'pattern':
      return `${operation.state} ${operation.pattern}`;
    case 'submit':
    case 'requeue':
      return `${operation.kind} ${operation.urls[0]}${operation.urls.length > 1 ? ` and ${operation.urls.length - 1} more` : ''}`;
    default:
      return operation.kind;
  }
}
