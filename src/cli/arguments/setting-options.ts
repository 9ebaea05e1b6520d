import { type Command, Option } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { type ResolvedSettings, resolveSettings } from '../../base/settings/resolve-settings.ts';
import { settingFlags } from '../../base/settings/setting-flags.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import { addShortHelp } from './short-help.ts';

/** Gives a command a flag for every setting; its help shows the most used ones. */
export function addSettingOptions(command: Command): void {
  addShortHelp(command);
  for (const flag of settingFlags()) {
    const option = new Option(flag.usage, flag.help).helpGroup(`${flag.group}:`);
    if (flag.repeatable) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
    if (flag.negatedUsage === undefined) continue;
    // Of a switch that is on, the help shows how to turn it off.
    const negated = new Option(flag.negatedUsage, `Turn off: ${flag.help}`).helpGroup(`${flag.group}:`);
    if (flag.on) option.hideHelp();
    else negated.hideHelp();
    command.addOption(negated);
  }
}

/** flags > environment > profile in orbweaver.yaml of the crawl folder > the rest of that file > defaults. */
export async function settingsOf(command: Command, folder: string): Promise<ResolvedSettings> {
  if (folder === '') {
    throw new OrbweaverError('USAGE', 'The crawl folder has no name.', { remedy: 'Write --dir my-crawl.' });
  }
  const file = await loadSettingsFile(settingsPath(folder), { optional: true });
  return resolveSettings({ flags: givenSettings(command), env: process.env, file });
}

/** What the command line itself says. */
export function givenSettings(command: Command): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { key } of settingFlags()) {
    if (command.getOptionValueSource(key) === 'cli') given[key] = command.getOptionValue(key);
  }
  refuseBlankTopic(given);
  return given;
}

/** Blank is the default and means no topic. Whoever types the flag wants one: such as a shell variable that is not set. */
function refuseBlankTopic({ topic, topicFile }: Record<string, unknown>): void {
  const flag = isBlank(topic) ? '--topic' : isBlank(topicFile) ? '--topic-file' : undefined;
  if (flag === undefined) return;
  throw new OrbweaverError('SETTING_INVALID', `${flag} is empty.`, {
    remedy:
      'Describe the topic in words, such as --topic "jumping spiders of Europe". Without a topic, leave the flag out.',
  });
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
