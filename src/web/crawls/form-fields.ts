import type { CrawlDraft, DraftProblems } from '../../contracts/crawl-library.ts';
import { WEEKDAYS } from '../../crawls/run-times.ts';
import { type Html, type HtmlPart, html, trusted } from '../frame/html.ts';

type Field = keyof CrawlDraft;

/** A field with its label, what it means, and what is wrong with it. */
export class FormFields {
  readonly #draft: CrawlDraft;
  readonly #problems: DraftProblems;

  constructor(draft: CrawlDraft, problems: DraftProblems) {
    this.#draft = draft;
    this.#problems = problems;
  }

  text(
    name: Field,
    label: string,
    help: HtmlPart,
    more: { readonly type?: 'time'; readonly placeholder?: string } = {},
  ): Html {
    return this.#around(
      name,
      label,
      help,
      html`<input id="${name}" name="${name}" type="${more.type ?? 'text'}" value="${this.#draft[name]}" placeholder="${more.placeholder ?? ''}" autocomplete="off" spellcheck="false"${this.#described(name)}>`,
    );
  }

  lines(name: Field, label: string, help: HtmlPart, rows: number, placeholder = ''): Html {
    return this.#around(
      name,
      label,
      help,
      html`<textarea id="${name}" name="${name}" rows="${rows}" placeholder="${placeholder}" spellcheck="false"${this.#described(name)}>
${this.#draft[name]}</textarea>`,
    );
  }

  choice(name: Field, label: string, options: readonly (readonly [value: string, label: string])[]): Html {
    return this.#around(
      name,
      label,
      undefined,
      html`<select id="${name}" name="${name}"${this.#described(name)}>${options.map(
        ([value, words]) =>
          html`<option value="${value}"${value === this.#draft[name] && trusted(' selected')}>${words}</option>`,
      )}</select>`,
    );
  }

  radios(
    name: Field,
    legend: string,
    options: readonly (readonly [value: string, label: string, help: string])[],
  ): Html {
    return html`<fieldset class="radios"><legend>${legend}</legend>${options.map(
      ([value, label, help]) =>
        html`<label><input type="radio" name="${name}" value="${value}"${value === this.#draft[name] && trusted(' checked')}><span>${label} <small>${help}</small></span></label>`,
    )}${this.#problem(name)}</fieldset>`;
  }

  box(name: Field, label: string, help: string): Html {
    return html`<div class="field box"><label><input type="checkbox" name="${name}" value="yes"${this.#draft[name] === 'yes' && trusted(' checked')}><span>${label} <small>${help}</small></span></label></div>`;
  }

  /** How often the crawl runs; the same on the form of a new one and on the page of one. */
  repeat(): Html {
    return html`${this.choice('repeat', 'How often', [
      ['once', 'Only when it is started'],
      ['continuous', 'All the time: pages are visited again when they may have changed'],
      ['hourly', 'Every hour'],
      ['daily', 'Every day'],
      ['weekly', 'Every week'],
      ['cron', 'By a cron expression'],
    ])}
<div class="row" data-shown-for="daily weekly">${this.text('time', 'At', undefined, { type: 'time' })}
<div data-shown-for="weekly">${this.choice(
      'weekday',
      'On',
      WEEKDAYS.map((day, at) => [String(at), day] as const),
    )}</div></div>
<div data-shown-for="cron">${this.text('cron', 'Cron expression', 'Minute, hour, day, month, weekday: 0 3 * * 1 is Mondays at three.', { placeholder: '0 3 * * 1' })}</div>
<div data-shown-for="daily weekly cron">${this.text('timeZone', 'Time zone', 'Such as Europe/Berlin.')}</div>`;
  }

  /** Whether one of these is wrong: then it must not be hidden in a part that can be closed. */
  wrong(...names: readonly Field[]): boolean {
    return names.some((name) => this.#problems[name] !== undefined);
  }

  #around(name: Field, label: string, help: HtmlPart, control: Html): Html {
    return html`<div class="field"><label for="${name}">${label}</label>${control}${help !== undefined && html`<small id="${name}-help">${help}</small>`}${this.#problem(name)}</div>`;
  }

  #problem(name: Field): Html | false {
    const problem = this.#problems[name];
    return problem !== undefined && html`<p class="wrong" id="${name}-wrong">${problem}</p>`;
  }

  #described(name: Field): Html | false {
    return this.#problems[name] !== undefined && trusted(` aria-invalid="true" aria-describedby="${name}-wrong"`);
  }
}
