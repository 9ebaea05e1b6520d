import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { addSettingOptions, settingsOf } from '../../arguments/setting-options.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';
import { untilStopped } from '../../until-stopped.ts';

interface SiteFlags {
  readonly ranges?: string;
  readonly dir: string;
}

interface ServeFlags extends SiteFlags {
  readonly port: string;
  readonly host: string;
}

/** `bot`: what the operator of a crawler publishes about it, and the key that its requests are signed with. */
export function addBotCommand(program: Command, version: string): void {
  const bot = program
    .command('bot')
    .description('What you publish about your crawler: an information page, its addresses, the key of its signatures.');
  bot
    .command('key')
    .description('Make an Ed25519 key for signature-key, in a new file that only you can read.')
    .argument('<file>', 'where the private key is written')
    .action(makeKey);
  const site = bot
    .command('site')
    .description('Write the information page, the address ranges and the key directory into a folder.')
    .argument('<folder>', 'to be published at signature-agent');
  const serve = bot
    .command('serve')
    .description('Serve the same until Ctrl-C, with the key directory signed, as verifiers ask for.')
    .option('--port <n>', 'port to listen on; 0 for any free one', '8790')
    .option('--host <address>', 'address to listen on', '127.0.0.1');
  for (const command of [site, serve])
    addSettingOptions(
      command
        .option('--ranges <networks>', 'where its requests come from: 192.0.2.0/24,2001:db8::/32')
        .option('--dir <folder>', 'the crawl folder whose settings count', 'my-crawl'),
    );
  site.action((folder: string, flags: SiteFlags) => writeSite(folder, site, flags, version));
  serve.action((flags: ServeFlags) => serveSite(serve, flags, version));
}

async function makeKey(file: string): Promise<void> {
  const { createSigningKey } = await import('../../../fetch/signing/signing-key.ts');
  const { id } = createSigningKey(file);
  process.stdout.write(`${id}\n`);
  process.stderr.write(
    `The private key is in ${file}: keep it secret, and back it up.\nNext: orbweaver bot site FOLDER --signature-key ${file} --signature-agent https://YOUR-HOST, publish the folder there, and crawl with the same two settings.\n`,
  );
}

async function identityFor(command: Command, { ranges, dir }: SiteFlags, version: string) {
  const { identityOf } = await import('../../../web/identity/bot-identity.ts');
  const { settings } = await settingsOf(command, dir);
  return identityOf(
    settings,
    version,
    (ranges ?? '').split(',').filter((range) => range.trim() !== ''),
  );
}

async function writeSite(folder: string, command: Command, flags: SiteFlags, version: string): Promise<void> {
  const { botFiles } = await import('../../../web/identity/bot-files.ts');
  const identity = await identityFor(command, flags, version);
  for (const { path, text } of botFiles(identity, systemClock.now())) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw new OrbweaverError('USAGE', `${file} cannot be written (${code}).`, { remedy: 'Name another folder.' });
    }
    process.stdout.write(`${file}\n`);
  }
  if (identity.key !== undefined)
    process.stderr.write(
      'Some verifiers want the key directory itself signed, which a static file is not: orbweaver bot serve does that.\n',
    );
}

async function serveSite(command: Command, flags: ServeFlags, version: string): Promise<void> {
  const { BotApp } = await import('../../../web/identity/bot-app.ts');
  const { startWebApp } = await import('../../../web/http/listen.ts');
  const app = new BotApp(await identityFor(command, flags, version), systemClock);
  const port = wholeNumber('--port', flags.port, 0, 65_535);
  await using server = await startWebApp(app, { host: flags.host, port }).catch((cause: NodeJS.ErrnoException) => {
    throw new OrbweaverError('USAGE', `Cannot listen on ${flags.host}, port ${port}: ${cause.code}.`, {
      remedy: 'Choose another with --port or --host; --port 0 takes any free one.',
    });
  });
  const stopped = untilStopped();
  process.stderr.write(`${server.url}\n`);
  await stopped;
}
