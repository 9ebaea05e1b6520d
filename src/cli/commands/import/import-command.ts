import type { Command } from 'commander';
import { shellWord } from '../../../base/shell-word.ts';
import { addImportWarc } from './import-warc.ts';

interface ImportFlags {
  readonly dir: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly skipBad?: boolean;
}

/** `orbweaver import`: what others hold, without a crawl. */
export function addImportCommand(program: Command, version: string): void {
  const command = program.command('import').description('Take in what others hold, without asking the web.');
  addDocuments(command, 'jsonl', 'Index documents: {"id", "title", "text"} lines, gzip or plain.').option(
    '--skip-bad',
    'pass over lines that are no documents',
  );
  addDocuments(command, 'trec', 'Index documents: TREC SGML, gzip or plain.');
  addImportWarc(command, version);
}

function addDocuments(command: Command, format: 'jsonl' | 'trec', description: string): Command {
  return command
    .command(format)
    .description(description)
    .argument('<file>', 'a file, or - for standard input')
    .option('--dir <folder>', 'the folder of the index', 'my-index')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .action(async (file: string, flags: ImportFlags) => {
      await runImport(format, file, flags);
    });
}

async function runImport(format: 'jsonl' | 'trec', file: string, flags: ImportFlags): Promise<void> {
  const { systemClock } = await import('../../../base/clock.ts');
  const { inputLines } = await import('../../../search/indexing/imports/input-lines.ts');
  const { DocumentStore } = await import('../../../search/indexing/imports/document-store.ts');
  const { importDocuments } = await import('../../../search/indexing/imports/import-documents.ts');
  const { openIndexOf } = await import('../../../search/indexing/open-index.ts');
  const { refuseMaster } = await import('../../../search/indexing/master/master-place.ts');
  const began = performance.now();
  const quiet = flags.quiet === true || flags.json === true;
  const lines = inputLines(file, process.stdin);
  // A file that cannot be read is told before a folder is made.
  const first = await lines.next();
  let passedOver = 0;
  const passOver = (bad: Error): void => {
    if (++passedOver <= 10 && !quiet) process.stderr.write(`${bad.message}\n`);
  };
  const documents =
    format === 'trec'
      ? (await import('../../../search/indexing/imports/trec-documents.ts')).trecDocuments(resumed(first, lines), file)
      : (await import('../../../search/indexing/imports/jsonl-documents.ts')).jsonlDocuments(
          resumed(first, lines),
          file,
          flags.skipBad === true ? passOver : undefined,
        );
  refuseMaster(flags.dir);
  using store = new DocumentStore(flags.dir);
  await using opened = await openIndexOf(flags.dir);
  const { index } = opened;
  const imported = await importDocuments(documents, {
    ...{ index, store, clock: systemClock },
    onCommitted: (done) => {
      if (!quiet) process.stderr.write(`${done} documents indexed\n`);
    },
  });
  const seconds = Math.round(performance.now() - began) / 1000;
  using snapshot = index.snapshot();
  const summary = { imported, passedOver, documents: snapshot.documents, seconds };
  if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else
    process.stdout.write(
      `${imported} documents imported${passedOver > 0 ? `, ${passedOver} lines passed over` : ''} in ${seconds} s; ` +
        `${snapshot.documents} can be found: orbweaver search QUERY --dir ${shellWord(flags.dir)}\n`,
    );
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
