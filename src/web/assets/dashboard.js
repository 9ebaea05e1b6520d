// Keeps the dashboard up to date. The page is whole without it; reloading does the same.

const EVERY_MS = 2000;
// The app may be one of several on its server.
const DASHBOARD = new URL('dashboard', document.currentScript.src).pathname;
const part = document.getElementById('main');
let isPaused = false;
let failures = 0;

const button = document.createElement('button');
button.type = 'button';
button.className = 'pause';
button.addEventListener('click', () => {
  isPaused = !isPaused;
  label();
});
label();
attach();
setTimeout(update, EVERY_MS);

function label() {
  button.textContent = isPaused ? 'Update this page again' : 'Stop updating this page';
}

function attach() {
  document.querySelector('.dashboard .live')?.append(button);
}

/** Somebody who reads with the keyboard or marks text is not disturbed. */
function isInUse() {
  const selection = document.getSelection();
  const inside = document.activeElement;
  return (
    (inside !== null && inside !== button && inside !== part && part.contains(inside)) ||
    (selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode))
  );
}

async function update() {
  if (!isPaused && !document.hidden && !isInUse()) await renew();
  // A server that has gone is asked less and less often.
  setTimeout(update, EVERY_MS * Math.min(30, 2 ** failures));
}

async function renew() {
  try {
    const response = await fetch(`${DASHBOARD}?part=1`);
    if (!response.ok) throw new Error(String(response.status));
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').body;
    const hadFocus = document.activeElement === button;
    part.replaceChildren(...fresh.childNodes);
    attach();
    if (hadFocus) button.focus();
    failures = 0;
  } catch {
    failures++;
  }
}
