// The search page of the documentation as static files: searches the bundle beside it.
import { BundleSearch } from './search-index/lib/export/site-search/browser/bundle-search.js';

const MOST = 20;
/** While somebody types, a search waits for the next key. */
const PAUSE_MS = 250;

const box = document.getElementById('q');
const status = document.getElementById('status');
const results = document.getElementById('results');

let opening;
let asked = 0;
let waiting;

async function load(path) {
  const answer = await fetch(new URL(`search-index/${path}`, document.baseURI), { credentials: 'omit' });
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  return await answer.arrayBuffer();
}

async function search() {
  const query = box.value.trim();
  const number = ++asked;
  if (query === '') return show([], 'Type what you are looking for.');
  try {
    opening ??= BundleSearch.open(load);
    const { total, hits } = await (await opening).search(query, 0, MOST);
    // Somebody has typed on meanwhile.
    if (number !== asked) return;
    show(hits, total === 0 ? 'No page was found.' : `${total} ${total === 1 ? 'page' : 'pages'}`);
  } catch (error) {
    // What failed is tried again with the next query.
    opening = undefined;
    if (number !== asked) return;
    const isFile = location.protocol === 'file:';
    const remedy = isFile ? 'Browsers do not let a page read files: put the folder on a web server.' : error.message;
    show([], `The search index could not be loaded. ${remedy}`);
  }
}

function show(hits, text) {
  status.textContent = text;
  results.replaceChildren(...hits.map(item));
}

function item({ url, title, excerpt }) {
  const entry = element('li', 'result');
  const heading = element('h2', '');
  const link = element('a', 'title', ...title.map(piece));
  // Ids of the bundle are paths of this site.
  link.href = new URL(url, document.baseURI).href;
  heading.append(link);
  entry.append(heading, element('p', 'address', url), element('p', 'snippet', ...excerpt.map(piece)));
  return entry;
}

function piece({ text, isMatch }) {
  return isMatch ? element('mark', '', text) : document.createTextNode(text);
}

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.append(...content);
  return made;
}

function begin() {
  clearTimeout(waiting);
  const address = new URL(location.href);
  address.searchParams.set('q', box.value.trim());
  history.replaceState(null, '', address);
  search();
}

box.form.addEventListener('submit', (event) => {
  event.preventDefault();
  begin();
});
box.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(begin, PAUSE_MS);
});
box.value = new URL(location.href).searchParams.get('q') ?? '';
search();
