import type { PageWorld } from './page-world.ts';
import type { ScriptLinks } from './script-links.ts';
import type { Tab } from './tab.ts';

export interface ControlParts {
  readonly tab: Tab;
  readonly world: PageWorld;
  readonly links: ScriptLinks;
  /** That are used, options of menus each for itself. */
  readonly most: number;
  /** Lets the page go on. */
  readonly pass: (virtualMs: number, realMs: number) => Promise<void>;
  readonly hasTime: () => boolean;
}

interface Listener {
  readonly type: string;
  readonly backendNodeId?: number;
}

/** After a click, in the time of the page and in ours. */
const AFTER_MS = 300;
const AFTER_REAL_MS = 2000;
const MOST_LISTENERS = 100;

/**
 * Uses what a person could use, and notes where that leads: to another document (which is not loaded), to an address of the page's own
 * router, or to links that were not there before. What is sent to a server is GET alone, so nothing is changed there.
 */
export async function useControls({ tab, world, links, most, pass, hasTime }: ControlParts): Promise<void> {
  if (most === 0) return;
  await markListeners(tab, world);
  const begun = await world.call<string>('address');
  let count = await world.call<number>('begin', [most]);
  for (let at = 0; at < count && hasTime(); at++) {
    if (!(await world.call<boolean>('act', [at]))) continue;
    await pass(AFTER_MS, AFTER_REAL_MS);
    links.addAll(await world.call<[string, string][]>('newLinks'));
    if ((await world.call<string>('address')) === begun) continue;
    // The router of the page has shown another view: back, and on with the next control.
    await world.call('back');
    await pass(AFTER_MS, AFTER_REAL_MS);
    await markListeners(tab, world);
    count = Math.min(count, await world.call<number>('begin', [most]));
  }
}

/** Elements with listeners that no attribute shows. */
async function markListeners(tab: Tab, world: PageWorld): Promise<void> {
  const { root } = await tab.send<{ root: { backendNodeId: number } }>('DOM.getDocument', { depth: 0 });
  const { object } = await tab.send<{ object: { objectId: string } }>('DOM.resolveNode', {
    backendNodeId: root.backendNodeId,
  });
  const asked = { objectId: object.objectId, depth: -1, pierce: true };
  const { listeners } = await tab.send<{ listeners: Listener[] }>('DOMDebugger.getEventListeners', asked);
  const nodes = new Set<number>();
  for (const { type, backendNodeId } of listeners)
    if ((type === 'click' || type === 'change') && backendNodeId !== undefined) nodes.add(backendNodeId);
  for (const backendNodeId of [...nodes].slice(0, MOST_LISTENERS))
    await world.call('listens', [await world.nodeOf(backendNodeId)]).catch(() => {});
}
