import { OrbweaverError } from '../../base/errors.ts';
import type { Notes } from '../../contracts/state/notes.ts';

/** What a node knows of itself; kept in the state of its folder under the name 'node'. */
export interface NodeNote {
  readonly name: string;
  /** The crawl that it takes part in. */
  readonly store: string;
  /** Who wrote files of its archive before the folder was that of a node. */
  readonly writers?: readonly string[];
}

const NODE = 'node';

/** The node whose folder it is; undefined where it is that of a whole crawl. */
export function nodeOf(state: Pick<Notes, 'read'>): NodeNote | undefined {
  return state.read<NodeNote>(NODE);
}

/** Those whose names the archive files of a node end in. */
export function writersOf({ name, writers = [] }: Pick<NodeNote, 'name' | 'writers'>): readonly string[] {
  return [name, ...writers];
}

export function writeNode(state: Pick<Notes, 'write'>, note: NodeNote): void {
  state.write(NODE, note);
}

/** Whoever would crawl with the folder of a node as with any other. */
export function refuseNodeFolder(state: Pick<Notes, 'read'>, folder: string): void {
  const node = nodeOf(state);
  if (node === undefined) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `${folder} is the folder of ${node.name}, a node of a crawl in a database.`,
    {
      remedy: 'Choose another folder with --dir; or start the node with: orbweaver node --store … --folder DIR',
    },
  );
}
