import { SECTIONS } from '../markup/word-lists.ts';
import { hash32 } from '../model/seeded-hash.ts';
import { escapeHtml, phrase, sentences, type TrapRequest } from './trap-words.ts';

const PURPOSE = { section: 145, wording: 146 } as const;
const ONWARD = 5;

const WORDINGS: readonly (readonly [string, string])[] = [
  ['Nothing here', 'What you were looking for is no longer offered. Perhaps one of these helps you:'],
  ['We are sorry', 'This article was taken down or has been given another name. Others have read:'],
  ['Hm.', 'There is no such page. These come close:'],
  ['Gone fishing', 'The address is wrong, or it was right once. Try these instead:'],
  ['Not available', 'The content you asked for cannot be shown. You may also like:'],
];

/**
 * The pages of a host that answers for everything: they say in words alone that nothing is there, and what they offer
 * instead is not there either. Its addresses look like those of honest pages but for the number at their end.
 */
export function brokenLinkPage(request: TrapRequest): string {
  const { seed, host, target } = request;
  const [title, text] = WORDINGS[hash32(seed, host, 0, PURPOSE.wording) % WORDINGS.length];
  const items = Array.from({ length: ONWARD }, (_, at) => {
    return `<li><a href="${brokenLink(request, at)}">${phrase(request, at * 5 + 40, 3)}</a></li>\n`;
  });
  const always = sentences({ seed, host, target: '/' }, 0, 40);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${title} - Site ${host}</title></head>
<body class="page"><header><a href="/">Site ${host}</a></header>
<main><h1>${title}</h1><p>${text}</p>
<ul>
${items.join('')}</ul>
<p class="asked">${escapeHtml(target)}</p></main>
<footer>Site ${host}. ${always}</footer></body></html>
`;
}

/** An address where there is nothing, as an honest page would write it. */
export function brokenLink(from: TrapRequest, salt: number): string {
  const section = SECTIONS[hash32(from.seed ^ salt, from.host, from.target.length, PURPOSE.section) % SECTIONS.length];
  return `/${section}/${phrase(from, salt * 5, 3).replaceAll(' ', '-')}.html`;
}
