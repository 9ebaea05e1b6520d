import { BundleSearch } from './lib/export/site-search/browser/bundle-search.js';

const PER_PAGE = 10;
/** While somebody types, a search waits for the next key. */
const PAUSE_MS = 250;

const box = document.getElementById('q');
const status = document.getElementById('status');
const results = document.getElementById('results');
const pages = document.getElementById('pages');
const before = document.getElementById('before');
const next = document.getElementById('next');

let opening;
let asked = 0;
let start = 0;
let waiting;

function open() {
  // What failed is tried again with the next query.
  opening ??= BundleSearch.open(load).catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

async function load(path) {
  const answer = await fetch(new URL(path, document.baseURI), { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return await answer.arrayBuffer();
}

async function search() {
  const query = box.value.trim();
  const number = ++asked;
  if (query === '') {
    show([], '');
    pages.hidden = true;
    return;
  }
  try {
    const bundle = await open();
    const { total, hits } = await bundle.search(query, start, PER_PAGE);
    // Somebody has typed on meanwhile.
    if (number !== asked) return;
    show(hits, told(total));
    pages.hidden = total <= PER_PAGE;
    before.disabled = start === 0;
    next.disabled = start + PER_PAGE >= total;
  } catch (error) {
    if (number !== asked) return;
    const isFile = location.protocol === 'file:';
    const remedy = isFile ? 'Browsers do not let a page read files: put the folder on a web server.' : error.message;
    show([], `The search index could not be loaded. ${remedy}`);
    pages.hidden = true;
  }
}

function told(total) {
  if (total === 0) return 'No page was found.';
  const range = total > PER_PAGE ? `, ${start + 1} to ${Math.min(total, start + PER_PAGE)}` : '';
  return `${total} ${total === 1 ? 'page' : 'pages'}${range}`;
}

function show(hits, text) {
  status.textContent = text;
  results.replaceChildren(...hits.map(item));
}

function item({ url, title, excerpt }) {
  const entry = document.createElement('li');
  const link = document.createElement(/^https?:/i.test(url) ? 'a' : 'span');
  if (link instanceof HTMLAnchorElement) {
    link.href = url;
    link.rel = 'noopener';
  }
  link.append(...title.map(piece));
  const address = document.createElement('p');
  address.className = 'address';
  address.textContent = url;
  const passage = document.createElement('p');
  passage.append(...excerpt.map(piece));
  entry.append(link, address, passage);
  return entry;
}

function piece({ text, isMatch }) {
  if (!isMatch) return document.createTextNode(text);
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}

function remember() {
  const address = new URL(location.href);
  if (box.value.trim() === '') address.searchParams.delete('q');
  else address.searchParams.set('q', box.value.trim());
  history.replaceState(null, '', address);
}

function begin() {
  clearTimeout(waiting);
  start = 0;
  remember();
  search();
}

function turn(pagesOn) {
  start = Math.max(0, start + pagesOn * PER_PAGE);
  search().then(() => status.scrollIntoView());
}

document.getElementById('search').addEventListener('submit', (event) => {
  event.preventDefault();
  begin();
});
box.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(begin, PAUSE_MS);
});
before.addEventListener('click', () => turn(-1));
next.addEventListener('click', () => turn(1));

box.value = new URL(location.href).searchParams.get('q') ?? '';
open().then(
  ({ about }) => {
    document.title = about.title;
    document.getElementById('title').textContent = about.title;
  },
  () => {},
);
search();
if (box.value === '') box.focus();
