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
  /** A style sheet of this name comes with the page. */
  readonly sheet?: 'report';
  /** The part of the app that the page belongs to. */
  readonly section?: Section;
}

/** The parts of the app, in the order in which they are named on every page. */
const SECTIONS = [
  { section: 'search', path: '/', name: 'Search' },
  { section: 'dashboard', path: '/dashboard', name: 'Dashboard' },
  { section: 'report', path: '/report', name: 'Report' },
  { section: 'pages', path: '/page', name: 'Pages' },
  { section: 'hosts', path: '/hosts', name: 'Hosts' },
  { section: 'changes', path: '/changes', name: 'Changes' },
  { section: 'graph', path: '/graph', name: 'Graph' },
] as const;

export type Section = (typeof SECTIONS)[number]['section'];

// What is the same on every page is written once.
const ICON = html`${orbIcon()}`;
const BACKDROP = orbMark(9, 'backdrop', '0 50 50 50');
const MARK = orbMark(4, 'mark');
const TIPS = searchTips('h2');

/** The page around everything: head, search box, main part, help. */
export function pageFrame(options: FrameOptions): Html {
  const {
    title,
    name,
    query = '',
    isHome = false,
    content,
    feed,
    feedType = 'application/rss+xml',
    extra,
    sheet,
    section,
  } = options;
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
<link rel="stylesheet" href="/components.css">
${sheet !== undefined && html`<link rel="stylesheet" href="/${sheet}.css">`}
<link rel="search" type="application/opensearchdescription+xml" title="${name}" href="/opensearch.xml">
${feed !== undefined && html`<link rel="alternate" type="${feedType}" title="${title}" href="${feed}">`}
<script src="/page.js" defer></script>
${extra !== undefined && html`<link rel="stylesheet" href="/${extra}.css"><script src="/${extra}.js" defer></script>`}
</head>
<body class="${isHome ? 'home' : 'inner'}">
<a class="skip" href="#main">Skip to the content</a>
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
<nav class="sections" aria-label="Sections"><ul><!--library-->${SECTIONS.map(
    ({ section: one, path, name: text }) =>
      html`<li><a href="${path}"${one === section && html` aria-current="page"`}>${text}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">${content}</main>
<p id="status" class="hidden" role="status" aria-live="polite"></p>
<footer class="foot"><a href="/help" id="open-help">Search tips and keys</a></footer>
<dialog id="help" aria-labelledby="help-title">${TIPS}<form method="dialog"><button>Close</button></form></dialog>
</body>
</html>
`;
}
