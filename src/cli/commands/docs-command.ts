import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import { untilStopped } from '../until-stopped.ts';

/** Beside the app (8787). */
const PORT = 8788;

interface DocsFlags {
  readonly port?: string;
  readonly output?: string;
}

/** `orbweaver docs`: the documentation as a site, served or written, with search. */
export function addDocsCommand(program: Command): void {
  program
    .command('docs')
    .description('Serve the documentation on this machine, with search, until Ctrl-C. No network is needed.')
    .option('--port <n>', `port to listen on; 0 for any free one (default: ${PORT}, or any where that is taken)`)
    .option(
      '--out, --output <folder>',
      'write it as a static site into a new folder instead, with a search that needs no server',
    )
    .action(async (flags: DocsFlags) => {
      if (flags.output === undefined) return await serveDocs(flags.port);
      if (flags.port !== undefined)
        throw new OrbweaverError('USAGE', '--port goes without --out.', { remedy: 'Leave one of them out.' });
      const { exportDocs } = await import('../../web/docs/docs-export.ts');
      const pages = await exportDocs(flags.output);
      process.stdout.write(`${pages} pages in ${flags.output}.\n`);
    });
}

async function serveDocs(asked: string | undefined): Promise<void> {
  const port = asked === undefined ? PORT : wholeNumber('--port', asked, 0, 65_535);
  const { startWebApp } = await import('../../web/http/listen.ts');
  const { DocsApp } = await import('../../web/docs/docs-app.ts');
  const { DocsIndex } = await import('../../web/docs/docs-index.ts');
  const { DocsSite } = await import('../../web/docs/docs-site.ts');
  const site = new DocsSite();
  const index = DocsIndex.build(site.documents);
  index.catch((error: Error) => process.stderr.write(`The search is not available: ${error.message}\n`));
  const app = new DocsApp(site, index);
  try {
    await using server = await startWebApp(app, { port }).catch(async (cause: NodeJS.ErrnoException) => {
      // The usual port is no promise; one that was asked for is.
      if (asked === undefined && cause.code === 'EADDRINUSE') return await startWebApp(app, { port: 0 });
      throw new OrbweaverError('USAGE', `Cannot listen on port ${port}: ${cause.code}.`, {
        remedy: 'Choose another with --port; --port 0 takes any free one.',
        cause,
      });
    });
    const stopped = untilStopped();
    process.stdout.write(`The documentation is at ${server.url}; Ctrl-C ends it.\n`);
    await stopped;
  } finally {
    await (await index.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}
