import { type Html, type HtmlPart, html } from '../frame/html.ts';
import { orbIcon, orbMark } from '../frame/orb-mark.ts';
import { pageReply, type Reply } from '../http/reply.ts';

export interface LibraryFrame {
  readonly title: string;
  readonly content: HtmlPart;
  /** For browsers without scripts: seconds until the page is loaded again. */
  readonly refresh?: number | undefined;
  /** Told above the content: what was just done, or could not be. */
  readonly notice?: string | undefined;
  readonly status?: number;
}

/** A page that bears one of these names is the current one. */
const SECTIONS = [
  ['/', 'Crawls'],
  ['/new', 'New crawl'],
  ['/templates', 'Templates'],
  ['/trash', 'Trash'],
] as const;

const ICON = html`${orbIcon()}`;
const MARK = orbMark(4, 'mark');
const BACKDROP = orbMark(9, 'backdrop', '0 50 50 50');

/** The page around everything that concerns all crawls. */
export function libraryPage({ title, content, refresh, notice, status = 200 }: LibraryFrame): Reply {
  const page: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Orbweaver</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refresh !== undefined && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/components.css">
<link rel="stylesheet" href="/crawls.css">
<script src="/crawls.js" defer></script>
</head>
<body class="inner library">
<a class="skip" href="#main">Skip to the content</a>
${BACKDROP}
<header class="top">
<a class="brand" href="/" aria-label="Orbweaver, all crawls">${MARK}<span class="name">Orbweaver</span></a>
</header>
<nav class="sections" aria-label="Sections"><ul>${SECTIONS.map(
    ([path, name]) => html`<li><a href="${path}"${name === title && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`}
${content}</main>
</body>
</html>
`;
  return pageReply(page, status);
}
