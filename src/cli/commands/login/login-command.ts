import type { Command } from 'commander';
import { addSettingOptions } from '../../arguments/setting-options.ts';
import type { LoginFlags } from './login-flags.ts';

/** Records how a crawl logs in to a site. */
export function addLoginCommand(program: Command, version: string): void {
  const command = program
    .command('login')
    .description('Log in to a site by its form, and record how, for the crawls of a folder. No password is written.')
    .argument('<url>', 'the page with the login form')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--form <number>', 'which form of the page, where several ask for a password; 1 is the first')
    .option('--user <name>', 'the user name; asked for where it is not given')
    .option('--user-env <name>', 'the environment variable that holds the user name')
    .option('--password-env <name>', 'the environment variable that holds the password')
    .option('--password-file <path>', 'the file whose first line is the password')
    .option(
      '--field <name=value>',
      `another field of the form; the value may be \${NAME} or file:PATH; may be repeated`,
      (field: string, before: string[] | undefined) => [...(before ?? []), field],
    )
    .option('--check <url>', 'a page that needs the login, to see how the end of a session looks')
    .option('--print', 'print the recipe, and write nothing')
    .option('--in-browser', 'open a browser, wait until you have logged in there, and keep its cookies in a file')
    .addHelpText('after', EXAMPLES);
  addSettingOptions(command);
  command.action(async (url: string, flags: LoginFlags) => {
    const { runLogin } = await import('./run-login.ts');
    await runLogin(command, url, flags, version);
  });
}

const EXAMPLES = `
Examples:
  orbweaver login https://example.org/login                      asks for user name and password
  orbweaver login https://example.org/login --user anna --password-env SITE_PASSWORD --dir docs
  orbweaver login https://example.org/ --in-browser              for logins by scripts, captchas, second factors
`;
