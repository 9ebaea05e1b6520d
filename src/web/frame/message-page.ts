import { pageReply, type Reply } from '../http/reply.ts';
import { type Html, type HtmlPart, html } from './html.ts';
import { pageFrame } from './page-frame.ts';

/** What went wrong, in the style of the house. */
export function messageReply(name: string, status: number, title: string, text: HtmlPart): Reply {
  const content: Html = html`<section class="message"><h1>${title}</h1><p>${text}</p><p class="code">${status}</p></section>`;
  return pageReply(pageFrame({ title: `${title} · ${name}`, name, content }), status);
}
