// Keeps the dashboard up to date by server-sent events. The page is whole without it; reloading does the same.

// The app may be one of several on its server.
const EVENTS = new URL('dashboard/events', document.currentScript.src).pathname;
const page = document.querySelector('.dashboard');
const place = page?.querySelector('.live');
// After so long a server that refused is asked again.
const REFUSED_MS = 5000;
// What came while it could not be shown; the newest of each part.
const pending = new Map();
let source;
let isPaused = false;
// Tells that what is shown is old, and since when.
let lost;
// How the crawl stood when its buttons were made.
let stands = page?.querySelector('[data-stands]')?.dataset.stands;

if (place) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet-button pause';
  // Of a crawl that has ended nothing is new, unless it is started again.
  button.hidden = stands === 'ended';
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    label(button);
    if (isPaused) disconnect();
    else connect();
  });
  label(button);
  lost = document.createElement('span');
  lost.setAttribute('role', 'status');
  place.append(lost, button);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) disconnect();
    else if (!isPaused) connect();
  });
  // Parts that somebody used are shown when they are left.
  for (const event of ['focusout', 'pointerout']) page.addEventListener(event, () => setTimeout(show));
  connect();
}

function label(button) {
  button.textContent = isPaused ? 'Resume updates' : 'Pause updates';
}

function connect() {
  if (source !== undefined) return;
  const opened = new EventSource(`${EVENTS}?span=${encodeURIComponent(page.dataset.span)}`);
  source = opened;
  opened.addEventListener('message', ({ data }) => {
    for (const [id, markup] of Object.entries(JSON.parse(data))) pending.set(id, markup);
    show();
  });
  opened.addEventListener('open', () => {
    // Another process answers: it takes no forms that the one before has made.
    if (lost.textContent !== '') stands = undefined;
    lost.textContent = '';
  });
  opened.addEventListener('error', () => {
    if (lost.textContent === '') lost.textContent = `No connection since ${new Date().toTimeString().slice(0, 8)}. `;
    // A browser comes back by itself to a server that was away, but not to one that refused it.
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => source === opened && comeBack(), REFUSED_MS);
  });
}

/** Whoever has to log in is led there; a server with too many readers, or none, is asked again. */
async function comeBack() {
  disconnect();
  const answer = await fetch(location.href).catch(() => undefined);
  if (answer?.redirected) location.reload();
  else if (!isPaused && !document.hidden) connect();
}

/** Buttons belong to whoever looks, so they are not streamed to all: they are asked for when the crawl stands otherwise. */
async function renewControls() {
  const now = page.querySelector('[data-stands]')?.dataset.stands;
  page.querySelector('.pause').hidden = now === 'ended';
  const controls = page.querySelector('.controls');
  if (now === stands || controls === null || controls.contains(document.activeElement)) return;
  stands = now;
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.controls');
  if (fresh !== null) controls.replaceWith(fresh);
  // The process of a crawl lives on for a moment after its end.
  if (now === 'ended' && fresh?.querySelector('[value="stop"]'))
    setTimeout(() => {
      stands = undefined;
      void renewControls();
    }, 1000);
}

function disconnect() {
  source?.close();
  source = undefined;
}

function show() {
  if (isPaused) return;
  for (const [id, markup] of pending) {
    const part = document.getElementById(id);
    if (part === null || !isInUse(part)) {
      pending.delete(id);
      part?.replaceChildren(...new DOMParser().parseFromString(markup, 'text/html').body.childNodes);
    }
  }
  void renewControls();
}

/** Somebody who points at a chart, reads with the keyboard or marks text is not disturbed. */
function isInUse(part) {
  const selection = document.getSelection();
  return (
    part.contains(document.activeElement) ||
    part.querySelector('.steps:hover, details[open]') !== null ||
    (selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode))
  );
}
