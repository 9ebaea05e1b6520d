import { CdpError } from './cdp-connection.ts';
import { pageScript } from './page-script.ts';
import type { Tab } from './tab.ts';

interface Evaluated<T> {
  readonly result: { readonly value: T; readonly objectId?: string };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** No function of ours takes longer in a page that is not busy. */
const CALL_MS = 5000;

/** Our functions in a page, in a world that its scripts cannot reach; see `page-scripts/read-page.js`. */
export class PageWorld {
  readonly #tab: Tab;
  #context: number | undefined;
  #functions: string | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** The document has changed: so have its worlds. */
  forget(): void {
    this.#functions = undefined;
    this.#context = undefined;
  }

  async call<T>(name: string, args: readonly unknown[] = [], patienceMs = CALL_MS, awaitPromise = false): Promise<T> {
    const objectId = await this.#open(patienceMs);
    const answer = await this.#tab.send<Evaluated<T>>(
      'Runtime.callFunctionOn',
      {
        objectId,
        functionDeclaration: `function(...args) { return this[${JSON.stringify(name)}](...args); }`,
        arguments: args.map((value) => (value instanceof RemoteNode ? { objectId: value.objectId } : { value })),
        ...{ returnByValue: true, awaitPromise },
      },
      patienceMs,
    );
    if (answer.exceptionDetails !== undefined) throw new CdpError(`${name}: ${answer.exceptionDetails.text}`);
    return answer.result.value;
  }

  /** A node that the browser names, as our functions see it. */
  async nodeOf(backendNodeId: number): Promise<RemoteNode> {
    await this.#open(CALL_MS);
    const { object } = await this.#tab.send<{ object: { objectId: string } }>('DOM.resolveNode', {
      ...{ backendNodeId, executionContextId: this.#context },
    });
    return new RemoteNode(object.objectId);
  }

  async #open(patienceMs: number): Promise<string> {
    if (this.#functions !== undefined) return this.#functions;
    const world = { frameId: this.#tab.target, worldName: 'orbweaver' };
    const { executionContextId } = await this.#tab.send<{ executionContextId: number }>(
      ...(['Page.createIsolatedWorld', world, patienceMs] as const),
    );
    const { result } = await this.#tab.send<Evaluated<never>>(
      'Runtime.evaluate',
      { expression: `${pageScript('see-page')}\n${pageScript('read-page')}`, contextId: executionContextId },
      patienceMs,
    );
    if (result.objectId === undefined) throw new CdpError('the page cannot be read');
    this.#context = executionContextId;
    this.#functions = result.objectId;
    return result.objectId;
  }
}

export class RemoteNode {
  readonly objectId: string;

  constructor(objectId: string) {
    this.objectId = objectId;
  }
}
