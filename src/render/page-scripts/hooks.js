/**
 * Runs in every document before its own scripts, in their world. Turns off what would wait for a person or reach beside the guarded
 * way, and keeps what only a script sees: windows that were to be opened, closed shadow trees.
 */
(() => {
  const opened = [];
  Object.defineProperty(globalThis, '__orbweaverOpened', { value: opened });
  const answer = (value) => () => value;
  const replace = (owner, name, value) => {
    try {
      Object.defineProperty(owner, name, { value, writable: true, configurable: true });
    } catch {
      // A browser that guards it has turned it off by other means.
    }
  };
  replace(globalThis, 'alert', answer(undefined));
  replace(globalThis, 'confirm', answer(false));
  replace(globalThis, 'prompt', answer(null));
  replace(globalThis, 'print', answer(undefined));
  replace(globalThis, 'open', (url) => {
    if (url !== undefined && opened.length < 200) opened.push(String(url).slice(0, 4000));
    return null;
  });
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'SharedWorker'])
    replace(globalThis, name, undefined);
  const container = globalThis.ServiceWorkerContainer;
  if (container !== undefined)
    replace(container.prototype, 'register', () =>
      Promise.reject(new DOMException('Service workers are off.', 'SecurityError')),
    );
  const attach = Element.prototype.attachShadow;
  replace(Element.prototype, 'attachShadow', function attachShadow(init) {
    return attach.call(this, { ...init, mode: 'open' });
  });
})();
