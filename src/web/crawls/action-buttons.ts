import type { LibraryCrawl } from '../../contracts/crawl-library.ts';
import { type Html, html } from '../frame/html.ts';
import { manageLink } from './crawl-words.ts';

export function hiddenToken(token: string): Html {
  return html`<input type="hidden" name="csrf" value="${token}">`;
}

/** What can be done with a crawl as it stands; `back`: where the reader comes from. */
export function actionButtons(crawl: LibraryCrawl, token: string, back: string): Html {
  const { name, condition, facts } = crawl;
  const button = (action: string, label: string, kind = 'quiet'): Html =>
    html`<form method="post" action="${manageLink(name)}/${action}">${hiddenToken(token)}<input type="hidden" name="back" value="${back}"><button class="${kind}" type="submit">${label}<span class="hidden"> ${name}</span></button></form>`;
  switch (condition) {
    case 'running':
    case 'waiting':
      return button('stop', 'Stop');
    case 'stopping':
      return button('kill', 'Stop at once');
    case 'new':
      return button('start', 'Start');
    case 'finished':
      // What a limit has paused goes on.
      return facts !== undefined && facts.queued > 0
        ? html`${button('start', 'Go on')}${button('again', 'Run again')}`
        : button('again', 'Run again');
    case 'stopped':
    case 'interrupted':
      return button('start', 'Go on');
    case 'failed':
      return button('start', 'Try again');
    default:
      return html``;
  }
}
