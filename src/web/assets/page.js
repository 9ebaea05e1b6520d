// Instant results, completions and keys. The page is whole without it.

const box = document.getElementById('q');
const form = box.form;
const list = document.getElementById('completions');
const main = document.getElementById('main');
const status = document.getElementById('status');
const help = document.getElementById('help');
const name = document.querySelector('.name').textContent;

const DEBOUNCE_MS = 120;
// The app may be one of several on its server.
const ROOT = new URL('.', document.currentScript.src).pathname;

// One question at a time: a newer one ends those before it.
let asking = new AbortController();
let waiting = 0;
let chosen = -1;
// What the reader typed, while a completion stands in the box.
let typed = box.value;
let shown = new URLSearchParams(location.search).get('q') ?? '';

box.setAttribute('role', 'combobox');
box.setAttribute('aria-autocomplete', 'list');
box.setAttribute('aria-controls', list.id);
box.setAttribute('aria-expanded', 'false');

box.addEventListener('input', (event) => {
  typed = box.value;
  clearTimeout(waiting);
  asking.abort();
  // Letters of a word that is still being composed are no query yet.
  if (!event.isComposing) waiting = setTimeout(ask, DEBOUNCE_MS);
});
box.addEventListener('compositionend', () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, DEBOUNCE_MS);
});
box.addEventListener('blur', () => closeList());
box.addEventListener('keydown', boxKey);
form.addEventListener('submit', () => {
  clearTimeout(waiting);
  asking.abort();
});
list.addEventListener('mousedown', (event) => {
  // Before the box loses the focus and the list goes with it.
  event.preventDefault();
  const option = event.target.closest('li');
  if (option !== null) take(option.textContent);
});
document.addEventListener('keydown', pageKey);
document.getElementById('open-help').addEventListener('click', (event) => {
  event.preventDefault();
  help.showModal();
});
window.addEventListener('popstate', () => location.reload());

async function ask() {
  const query = typed.trim();
  asking = new AbortController();
  const { signal } = asking;
  if (query === '') return closeList();
  document.body.classList.add('busy');
  try {
    await Promise.all([complete(query, signal), query === shown ? undefined : search(query, signal)]);
  } catch (error) {
    // Offline or ended: the form still works.
    if (error.name !== 'AbortError') status.textContent = 'The search could not be asked.';
  } finally {
    if (!signal.aborted) document.body.classList.remove('busy');
  }
}

async function search(query, signal) {
  const parameters = new URLSearchParams({ q: query });
  const response = await fetch(`${ROOT}search?${parameters}&part=1`, { signal });
  if (!response.ok) return;
  const part = new DOMParser().parseFromString(await response.text(), 'text/html').body;
  if (signal.aborted) return;
  status.textContent = part.querySelector('#said')?.textContent ?? '';
  part.querySelector('#said')?.remove();
  main.replaceChildren(...part.childNodes);
  const isFirst = document.body.classList.contains('home');
  document.body.classList.replace('home', 'inner');
  document.title = `${query} · ${name}`;
  history[isFirst ? 'pushState' : 'replaceState'](null, '', `${ROOT}search?${parameters}`);
  shown = query;
}

async function complete(query, signal) {
  const response = await fetch(`${ROOT}api/complete?${new URLSearchParams({ q: query })}`, { signal });
  if (!response.ok) return;
  const { completions } = await response.json();
  if (!signal.aborted && document.activeElement === box) openList(completions.filter((text) => text !== query));
}

function openList(texts) {
  if (texts.length === 0) return closeList();
  chosen = -1;
  box.removeAttribute('aria-activedescendant');
  list.replaceChildren(...texts.map(optionOf));
  list.hidden = false;
  box.setAttribute('aria-expanded', 'true');
}

function optionOf(text, at) {
  const option = document.createElement('li');
  option.id = `completion-${at}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const start = typed.trimStart();
  if (text.startsWith(start)) {
    const rest = document.createElement('b');
    rest.textContent = text.slice(start.length);
    option.append(start, rest);
  } else option.textContent = text;
  return option;
}

function closeList() {
  list.hidden = true;
  chosen = -1;
  box.setAttribute('aria-expanded', 'false');
  box.removeAttribute('aria-activedescendant');
}

function choose(at) {
  const options = [...list.children];
  options[chosen]?.setAttribute('aria-selected', 'false');
  chosen = at;
  const option = options[at];
  option?.setAttribute('aria-selected', 'true');
  box.value = option?.textContent ?? typed;
  if (option === undefined) box.removeAttribute('aria-activedescendant');
  else box.setAttribute('aria-activedescendant', option.id);
}

function take(text) {
  box.value = text;
  closeList();
  form.requestSubmit();
}

function boxKey(event) {
  if (event.isComposing) return;
  const isOpen = !list.hidden;
  const count = list.children.length;
  if (event.key === 'Escape' && isOpen) {
    event.preventDefault();
    box.value = typed;
    closeList();
  } else if (event.key === 'Escape') {
    // Else the browser empties the box.
    event.preventDefault();
    box.blur();
  } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    // From the last (or first) one the way leads back to what was typed.
    const step = event.key === 'ArrowDown' ? 1 : -1;
    choose(((chosen + 1 + step + count + 1) % (count + 1)) - 1);
  } else if (event.key === 'ArrowDown') {
    if (moveTo(0)) event.preventDefault();
  }
}

function pageKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help.open) return;
  if (target.closest('input, textarea, select, [contenteditable]')) return;
  const at = results().indexOf(target);
  if (key === '/') {
    box.focus();
    box.select();
  } else if (key === '?') help.showModal();
  else if (key === 'j' || (key === 'ArrowDown' && at >= 0)) moveTo(currentResult() + 1);
  else if (key === 'k' || (key === 'ArrowUp' && at >= 0)) {
    if (currentResult() > 0) moveTo(currentResult() - 1);
    else box.focus();
  } else if (key === 'c' && at >= 0) target.closest('.result').querySelector('.cached')?.click();
  else return;
  event.preventDefault();
}

function results() {
  return [...document.querySelectorAll('.result a.title')];
}

/** The result that has the focus, or one of whose links has it; -1 where none. */
function currentResult() {
  const current = document.activeElement?.closest('.result');
  return current === null ? -1 : results().findIndex((link) => current?.contains(link));
}

function moveTo(at) {
  const link = results()[at];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
  return link !== undefined;
}
