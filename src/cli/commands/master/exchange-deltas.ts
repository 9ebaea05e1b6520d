import { shellWord } from '../../../base/shell-word.ts';
import type { TakenSource } from '../../../search/indexing/master/feed-master.ts';
import { counted } from '../../output/written-amount.ts';

export interface DeltaFlags {
  readonly dir: string;
  readonly whole?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `index --from`: a master index takes what has changed in others. */
export async function feedMasterIndex(from: readonly string[], { dir, json, quiet }: DeltaFlags): Promise<void> {
  const { feedMaster } = await import('../../../search/indexing/master/feed-master.ts');
  const began = performance.now();
  const tell = (line: string): void => {
    if (json !== true && quiet !== true) process.stderr.write(`${line}\n`);
  };
  const { sources, documents } = await feedMaster(dir, from, {
    onTaken: (source) => tell(toldOf(source)),
    onMissing: ({ folder, machine }) => process.stderr.write(`Not there: ${folder}, which was on ${machine}.\n`),
  });
  const seconds = Math.round(performance.now() - began) / 1000;
  if (json) process.stdout.write(`${JSON.stringify({ sources, documents, seconds })}\n`);
  else
    process.stdout.write(
      `${counted(sources.length, 'source')} taken in ${seconds} s; ${counted(documents, 'document')} can be found: orbweaver search QUERY --dir ${shellWord(dir)}\n`,
    );
}

/** `index --delta`: what a master somewhere else does not have yet, as a file. */
export async function writeDeltaFile(file: string, { dir, whole, json }: DeltaFlags): Promise<void> {
  const { writeDelta } = await import('../../../search/indexing/master/write-delta.ts');
  const written = await writeDelta(dir, file, whole === undefined ? {} : { whole });
  const { sent, removed, restamped, bytes, documents } = written;
  if (json) process.stdout.write(`${JSON.stringify({ ...written, file: bytes === 0 ? null : file })}\n`);
  else if (bytes === 0) process.stdout.write('Nothing has changed since the last delta: no file was written.\n');
  else
    process.stdout.write(
      `${file}: ${written.whole ? 'the whole index, ' : ''}${counted(sent, 'document')} of ${documents}, ` +
        `${removed} removed, ${restamped} with another rank, ${bytes} bytes. ` +
        `Where the master is: orbweaver index --dir MASTER --from ${shellWord(file)}\n`,
    );
}

function toldOf({ from, sent, removed, restamped, superseded, wanted, bytes, whole }: TakenSource): string {
  if (bytes === 0 || sent + removed + restamped === 0) return `${from}: nothing has changed`;
  const notes = [
    superseded > 0 ? `; of ${superseded} another source has a later copy` : '',
    wanted > 0 ? `; ${wanted} of other sources count again, with the next update from these` : '',
  ];
  return `${from}: ${whole ? 'the whole index, ' : ''}${counted(sent, 'document')}, ${removed} removed, ${restamped} with another rank, ${bytes} bytes${notes.join('')}`;
}
