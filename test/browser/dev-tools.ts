import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** So long a page may take to become what a test waits for; reached only where the test fails. */
const PATIENCE_MS = 180_000;

/** Pixels of a picture of a whole page. */
const MOST_PICTURED = 4000;

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** The Chrome DevTools Protocol: questions with answers, and notices. */
export class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(method: string, parameters: Record<string, unknown>, session?: string) => void>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser is gone.'));
      this.#waiting.clear();
    });
  }

  static connect(address: string): Promise<DevTools> {
    const socket = new WebSocket(address);
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve(new DevTools(socket)));
      socket.addEventListener('error', () => reject(new Error(`No answer from ${address}.`)));
    });
  }

  /** Rejects where there is no answer in good time: a page that never answers must not hang the tests. */
  send<T = unknown>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`${method} was not answered.`));
      }, PATIENCE_MS);
      const once =
        <V>(settle: (value: V) => void) =>
        (value: V): void => {
          clearTimeout(late);
          settle(value);
        };
      this.#waiting.set(id, { resolve: once(resolve), reject: once(reject) });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  listen(listener: (method: string, parameters: Record<string, unknown>, session?: string) => void): void {
    this.#listeners.add(listener);
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: Message): void {
    if (message.id === undefined) {
      for (const listener of this.#listeners) listener(message.method ?? '', message.params ?? {}, message.sessionId);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error !== undefined) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result as never);
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** One tab, driven as a reader would: by addresses, keys and clicks. */
export class BrowserTab {
  readonly #tools: DevTools;
  readonly #session: string;
  readonly #target: string;
  /** Windows that a script opened: alert and its like. */
  readonly dialogs: string[] = [];
  /** Addresses that were asked for, by number; those that the policy held back are not among them. */
  readonly requests = new Map<string, string>();
  /** What the console and the policy said. */
  readonly complaints: string[] = [];

  constructor(tools: DevTools, session: string, target: string) {
    this.#tools = tools;
    this.#session = session;
    this.#target = target;
    tools.listen((method, parameters, from) => {
      if (from === session) this.#notice(method, parameters);
    });
  }

  async prepare(): Promise<void> {
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await this.send(`${domain}.enable`);
    await this.resize(1_200, 860);
  }

  send<T = unknown>(method: string, parameters: object = {}): Promise<T> {
    return this.#tools.send<T>(method, parameters, this.#session);
  }

  async open(url: string): Promise<void> {
    await this.leave(() => this.send('Page.navigate', { url }));
  }

  /** Does something that leads to another page, and waits for it. The page that is left is marked: word of its own end may come late. */
  async leave(act: () => Promise<unknown>): Promise<void> {
    await this.evaluate('window.isLeft = true');
    await act();
    await this.hold("window.isLeft === undefined && document.readyState === 'complete'");
  }

  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send<{ result: { value: T }; exceptionDetails?: { text: string } }>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (answer.exceptionDetails !== undefined) throw new Error(`${answer.exceptionDetails.text} in ${expression}`);
    return answer.result.value;
  }

  /** Waits until an expression holds in the page. */
  async hold(expression: string): Promise<void> {
    // While a page is being replaced there is nothing to ask.
    await this.until(() => this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false), `never: ${expression}`);
  }

  async until(holds: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(otherwise);
      await pause(15);
    }
  }

  async type(text: string): Promise<void> {
    for (const character of text) await this.press(character);
  }

  /** A key by its name (Enter, ArrowDown) or the character that it writes. */
  async press(key: string): Promise<void> {
    const writes = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
    const common = { key, ...codeOf(key) };
    await this.send('Input.dispatchKeyEvent', {
      type: writes === undefined ? 'rawKeyDown' : 'keyDown',
      ...common,
      ...(writes === undefined ? {} : { text: writes }),
    });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common });
  }

  async click(selector: string): Promise<void> {
    const [x, y] = await this.evaluate<[number, number]>(
      `(() => { const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()`,
    );
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  async resize(width: number, height: number, mobile = false): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
  }

  async prefer(colorScheme: 'light' | 'dark'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: colorScheme }];
    await this.send('Emulation.setEmulatedMedia', { features });
  }

  async allowScripts(allowed: boolean): Promise<void> {
    await this.send('Emulation.setScriptExecutionDisabled', { value: !allowed });
  }

  /** Of the window, or of the page as far down as is worth looking at. */
  async screenshot(path: string, isWhole = false): Promise<void> {
    const { cssContentSize: page } = await this.send<{ cssContentSize: { width: number; height: number } }>(
      'Page.getLayoutMetrics',
    );
    const clip = { x: 0, y: 0, width: page.width, height: Math.min(page.height, MOST_PICTURED), scale: 1 };
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {
      format: 'png',
      ...(isWhole ? { captureBeyondViewport: true, clip } : {}),
    });
    writeFileSync(path, Buffer.from(data, 'base64'));
  }

  /** Clicks on what leads to a file, and waits for it. */
  async download(selector: string, folder: string): Promise<string> {
    const eventsEnabled = true;
    await this.#tools.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder, eventsEnabled });
    await this.click(selector);
    const files = (): string[] => readdirSync(folder).filter((name) => !name.endsWith('.crdownload'));
    await this.until(() => files().length > 0, `${selector} led to no file`);
    return join(folder, files()[0]);
  }

  async close(): Promise<void> {
    await this.#tools.send('Target.closeTarget', { targetId: this.#target });
  }

  #notice(method: string, parameters: Record<string, unknown>): void {
    if (method === 'Page.javascriptDialogOpening') {
      this.dialogs.push(String(parameters.message));
      void this.send('Page.handleJavaScriptDialog', { accept: false });
    }
    const number = String(parameters.requestId);
    if (method === 'Network.requestWillBeSent') this.requests.set(number, (parameters.request as { url: string }).url);
    if (method === 'Network.loadingFailed' && parameters.blockedReason === 'csp') this.requests.delete(number);
    if (method === 'Log.entryAdded') this.complaints.push((parameters.entry as { text: string }).text);
    if (method === 'Runtime.consoleAPICalled' && (parameters.type === 'error' || parameters.type === 'warning'))
      this.complaints.push(JSON.stringify(parameters.args));
    if (method === 'Runtime.exceptionThrown')
      this.complaints.push(JSON.stringify((parameters.exceptionDetails as { text: string }).text));
  }
}

const CODES: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40, Tab: 9, '/': 191 };

function codeOf(key: string): { readonly code: string; readonly windowsVirtualKeyCode: number } {
  const code = key.length === 1 ? `Key${key.toUpperCase()}` : key;
  return { code, windowsVirtualKeyCode: CODES[key] ?? key.toUpperCase().charCodeAt(0) };
}
