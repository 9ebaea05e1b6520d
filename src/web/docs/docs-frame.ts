import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { orbIcon, orbMark } from '../frame/orb-mark.ts';
import { relativeLink } from './documents.ts';
import type { DocumentHeading } from './markdown.ts';
import type { Topic } from './navigation.ts';

export interface DocsPage {
  /** Below the site; empty for a page that is shown for any path. */
  readonly path: string;
  readonly title: string;
  readonly content: HtmlPart;
  readonly headings?: readonly DocumentHeading[];
  readonly topics: readonly Topic[];
  readonly query?: string;
  /** A module of this path comes with the page. */
  readonly script?: string;
  /** The site is files alone: its policy stands in the page, since no server sends it. */
  readonly isStatic: boolean;
}

/** No page of the documentation has this name. */
export const SEARCH_PAGE = 'find.html';

const ICON = html`${orbIcon()}`;
const MARK = orbMark(4, 'mark');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/** A page of the documentation: search box, topics, the page, its sections. */
export function docsFrame({
  path,
  title,
  content,
  headings = [],
  topics,
  query = '',
  script,
  isStatic,
}: DocsPage): Html {
  const to = (target: string): string => (path === '' ? `/${target}` : relativeLink(path, target));
  const current = topics.find(({ pages }) => pages.some((page) => page.path === path));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${isStatic && html`<meta http-equiv="content-security-policy" content="${POLICY}">`}
<title>${title === 'Documentation' ? 'Orbweaver documentation' : `${title} · Orbweaver documentation`}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${to('style.css')}">
<link rel="stylesheet" href="${to('docs.css')}">
${script !== undefined && html`<script type="module" src="${to(script)}"></script>`}
</head>
<body class="inner docs">
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${to('index.html')}" aria-label="Orbweaver documentation, contents">${MARK}<span class="name">Orbweaver docs</span></a>
<form class="search" role="search" action="${to(SEARCH_PAGE)}" method="get">
<label class="hidden" for="q">Search the documentation</label>
<div class="field"><input id="q" name="q" type="search" value="${query}" maxlength="500" placeholder="Search the documentation" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"></div>
<button type="submit">Search</button>
</form>
<a class="to-topics" href="#topics">Topics</a>
</header>
<div class="docs-columns">
<nav class="topics" id="topics" tabindex="-1" aria-label="Topics">${topics.map(
    (topic) => html`<details${topic === current && html` open`}><summary>${topic.name}</summary>
<ul>${topic.pages.map((page) => html`<li><a href="${to(page.path)}"${page.path === path && html` aria-current="page"`}>${page.name}</a></li>`)}</ul></details>`,
  )}</nav>
<main id="main" tabindex="-1"><article class="document">${content}</article></main>
${headings.length > 1 && html`<nav class="on-page" aria-labelledby="on-page"><h2 id="on-page">On this page</h2><ul>${headings.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>`)}</ul></nav>`}
</div>
</body>
</html>
`;
}
