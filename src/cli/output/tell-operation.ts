import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlOperation, RecordedOperation } from '../../contracts/crawl-control.ts';
import { FolderControl } from '../../crawl/control/folder-control.ts';
import { type AskedCrawl, askedStore } from '../arguments/asked-crawl.ts';
import { writeText } from './write-text.ts';

/** A crawl that runs looks four times a second; one that has much to settle may be busy for a while. */
const WAIT_MS = 5000;

/** Asks something of a crawl, and tells what it makes of it. */
export async function askAndTell(asked: AskedCrawl, operations: readonly CrawlOperation[]): Promise<void> {
  using control = openAskedControl(asked);
  const isNode = (await askedStore({ dir: asked.dir })).node !== undefined;
  const { running } = control.view();
  const recorded = operations.map((operation) => control.ask(operation, 'command'));
  for (const one of recorded) {
    const taken = running ? await control.settled(one, WAIT_MS) : one;
    writeText(`${describe(taken ?? one, running)}\n`);
  }
  if (isNode) writeText('This is one node of a crawl: the others are asked with --dir of theirs.\n');
}

export function listChangedSettings(asked: AskedCrawl): void {
  using control = openAskedControl(asked);
  const { settings, changeable } = control.view();
  const lines = Object.entries(settings).map(([name, value]) => `${name} ${value === '' ? '(empty)' : value}`);
  writeText(
    lines.length > 0 ? `${lines.join('\n')}\n` : `Nothing was changed. What can be: ${changeable.join(', ')}.\n`,
  );
}

function openAskedControl({ dir, store }: AskedCrawl): FolderControl {
  if (store === undefined) return new FolderControl(dir);
  throw new OrbweaverError('USAGE', 'The nodes of a crawl in a database are steered one by one, by their folders.', {
    remedy: 'Name the folder of each node with --dir; "orbweaver cluster" lists the nodes and their folders.',
  });
}

function describe({ operation, takenAt, outcome }: RecordedOperation, running: boolean): string {
  const what = whatOf(operation);
  if (takenAt !== undefined) return `${what}: ${outcome}.`;
  if (!running)
    return operation.kind === 'stop'
      ? 'No crawl is running in this folder.'
      : `${what}: the next run of the crawl takes it up.`;
  return `${what}: kept; the crawl has not taken it up yet.`;
}

function whatOf(operation: CrawlOperation): string {
  switch (operation.kind) {
    case 'pause':
      return 'Pause';
    case 'resume':
      return 'Resume';
    case 'stop':
      return 'Stop';
    case 'set':
      return operation.value === null ? `${operation.name}` : `${operation.name} ${operation.value}`;
    case 'host':
      return `${operation.state === 'hold' ? 'Hold' : 'Open'} ${operation.host}`;
    case 'pattern':
      return `${operation.state} ${operation.pattern}`;
    case 'submit':
      return operation.urls.length === 1 ? `Submit ${operation.urls[0]}` : `Submit ${operation.urls.length} URLs`;
    case 'requeue':
      return operation.urls.length === 1 ? `Requeue ${operation.urls[0]}` : `Requeue ${operation.urls.length} URLs`;
  }
}
