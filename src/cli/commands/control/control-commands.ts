import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import type { CrawlOperation } from '../../../contracts/crawl-control.ts';
import type { HostKey } from '../../../contracts/url.ts';
import { type AskedCrawl, addCrawlOptions } from '../../arguments/asked-crawl.ts';

/** The commands that steer a crawl, running or not. */
export function addControlCommands(program: Command): void {
  addCrawlOptions(
    program
      .command('pause')
      .description('Have a crawl ask for nothing until it is resumed; its process goes on, and waits.'),
  ).action((flags: AskedCrawl) => ask(flags, [{ kind: 'pause' }]));

  addCrawlOptions(program.command('resume').description('Let a paused crawl go on.')).action((flags: AskedCrawl) =>
    ask(flags, [{ kind: 'resume' }]),
  );

  addCrawlOptions(
    program.command('stop').description('End the run of a crawl, as Ctrl-C does; the same command resumes it.'),
  ).action((flags: AskedCrawl) => ask(flags, [{ kind: 'stop' }]));

  addCrawlOptions(
    program
      .command('set')
      .description('Change a setting of a crawl while it runs; without a name, list what was changed.')
      .argument('[name]', 'such as delay, concurrency, max-pages, exclude')
      .argument('[value...]', 'as in docs/settings.md; several for a list'),
  )
    .option('--reset', 'let count again what the crawl was started with')
    .action((name: string | undefined, values: string[], flags: AskedCrawl & { reset?: boolean }) =>
      setSetting(name, values, flags),
    );

  addCrawlOptions(
    program
      .command('hold')
      .description('Have a crawl ask a host for nothing; its URLs are kept.')
      .argument('<host...>'),
  ).action((hosts: string[], flags: AskedCrawl) =>
    ask(
      flags,
      hosts.map((host) => hostOperation(host, 'hold')),
    ),
  );

  addCrawlOptions(
    program.command('open').description('Let a crawl ask a host again that was held.').argument('<host...>'),
  ).action((hosts: string[], flags: AskedCrawl) =>
    ask(
      flags,
      hosts.map((host) => hostOperation(host, 'open')),
    ),
  );

  addCrawlOptions(
    program
      .command('submit')
      .description('Give a crawl URLs that come first, as far as its scope admits them.')
      .argument('<url...>'),
  ).action((urls: string[], flags: AskedCrawl) => ask(flags, [{ kind: 'submit', urls }]));

  addCrawlOptions(
    program.command('requeue').description('Have known URLs asked for once more.').argument('<url...>'),
  ).action((urls: string[], flags: AskedCrawl) => ask(flags, [{ kind: 'requeue', urls }]));
}

function hostOperation(host: string, state: 'hold' | 'open'): CrawlOperation {
  return { kind: 'host', host: host as HostKey, state };
}

async function ask(flags: AskedCrawl, operations: readonly CrawlOperation[]): Promise<void> {
  const { askAndTell } = await import('../../output/tell-operation.ts');
  await askAndTell(flags, operations);
}

async function setSetting(
  name: string | undefined,
  values: readonly string[],
  flags: AskedCrawl & { reset?: boolean },
): Promise<void> {
  if (name === undefined) {
    const { listChangedSettings } = await import('../../output/tell-operation.ts');
    return listChangedSettings(flags);
  }
  if (flags.reset === true) {
    if (values.length > 0)
      throw new OrbweaverError('USAGE', '--reset takes no value.', { remedy: `Write: orbweaver set ${name} --reset` });
    return await ask(flags, [{ kind: 'set', name, value: null }]);
  }
  if (values.length === 0)
    throw new OrbweaverError('USAGE', `No value for ${name} was given.`, {
      remedy: `Write: orbweaver set ${name} VALUE; or, for what the crawl was started with: orbweaver set ${name} --reset`,
    });
  await ask(flags, [{ kind: 'set', name, value: values.join(' ') }]);
}
