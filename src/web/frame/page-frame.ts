import { searchTips } from '../search/search-tips.ts';
import { type Html, type HtmlPart, html, trusted } from './html.ts';
import { orbIcon, orbMark } from './orb-mark.ts';

export interface FrameOptions {
  /** Of the tab. */
  readonly title: string;
  /** Name of the collection. */
  readonly name: string;
  /** What stands in the search box. */
  readonly query?: string;
  /** The page with nothing on it but the search box. */
  readonly isHome?: boolean;
  readonly content: HtmlPart;
  /** Feed of what the page shows. */
  readonly feed?: string;
  readonly feedType?: 'application/rss+xml' | 'application/atom+xml';
  /** A style sheet and a script of this name come with the page. */
  readonly extra?: 'dashboard';
}

// What is the same on every page is written once.
const ICON = html`${orbIcon()}`;
const BACKDROP = orbMark(9, 'backdrop', '0 50 50 50');
const MARK = orbMark(4, 'mark');
const TIPS = searchTips('h2');

/** The page around everything: head, search box, main part, help. */
export function pageFrame(options: FrameOptions): Html {
  const { title, name, query = '', isHome = false, content, feed, feedType = 'application/rss+xml', extra } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/style.css">
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="/opensearch.xml">
${feed !== undefined && html`<link rel="alternate" type="${feedType}" title="${title}" href="${feed}">`}
<script src="/page.js" defer></script>
${extra !== undefined && html`<link rel="stylesheet" href="/${extra}.css"><script src="/${extra}.js" defer></script>`}
</head>
<body class="${isHome ? 'home' : 'inner'}">
<a class="skip" href="#main">Skip to the results</a>
${BACKDROP}
<header class="top">
<a class="brand" href="/" aria-label="${name}, start page">${MARK}<span class="name">${name}</span></a>
<form class="search" role="search" action="/search" method="get">
<label class="hidden" for="q">Search ${name}</label>
<div class="field">
<input id="q" name="q" type="search" value="${query}" maxlength="1000" placeholder="Search" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"${isHome && trusted(' autofocus')}>
<ul id="completions" role="listbox" aria-label="Completions" hidden></ul>
</div>
<button type="submit">Search</button>
</form>
</header>
<main id="main" tabindex="-1">${content}</main>
<p id="status" class="hidden" role="status" aria-live="polite"></p>
<footer class="foot"><!--library--> <a href="/help" id="open-help">Search tips and keys</a> <a href="/changes">What has changed</a> <a href="/dashboard">Dashboard</a></footer>
<dialog id="help" aria-labelledby="help-title">${TIPS}<form method="dialog"><button>Close</button></form></dialog>
</body>
</html>
`;
}
