// Keeps what changes up to date. The pages are whole without it.

for (const part of document.querySelectorAll('[data-live][data-every]')) follow(part);

function follow(part) {
  let every = Number(part.dataset.every) * 1000;
  let failures = 0;
  const renew = async () => {
    if (!document.hidden && !isInUse(part)) {
      try {
        const response = await fetch(part.dataset.live);
        // Elsewhere is the page to log in: the session has ended.
        if (response.redirected) return location.reload();
        if (!response.ok) throw new Error(String(response.status));
        const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').body;
        const isOpen = part.querySelector('details.log')?.open === true;
        part.replaceChildren(...fresh.childNodes);
        if (isOpen && part.querySelector('details.log') !== null) part.querySelector('details.log').open = true;
        failures = 0;
        // Where nothing is under way, a look now and then is enough.
        if (part.querySelector('.condition.running, .condition.stopping, .condition.waiting') !== null) every = 2000;
        else if (part.querySelector('.plan form[action="/new"]') !== null) return;
        else if (every < 10000 && part.querySelector('.condition') !== null) every = 10000;
      } catch {
        failures++;
      }
    }
    // A server that has gone is asked less and less often.
    setTimeout(renew, every * Math.min(30, 2 ** failures));
  };
  setTimeout(renew, every);
}

/** Somebody who reads with the keyboard or marks text is not disturbed. */
function isInUse(part) {
  const selection = document.getSelection();
  const inside = document.activeElement;
  return (
    (inside !== null && inside !== part && part.contains(inside)) ||
    (selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode))
  );
}
