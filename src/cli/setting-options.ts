import { type Command, Option } from 'commander';
import { loadSettingsFile } from '../base/settings/load-settings-file.ts';
import { type ResolvedSettings, resolveSettings } from '../base/settings/resolve-settings.ts';
import { settingFlags } from '../base/settings/setting-flags.ts';
import { settingsPath } from '../crawl/crawl-folder.ts';

/** Gives a command a flag for every setting. */
export function addSettingOptions(command: Command): void {
  for (const flag of settingFlags()) {
    const option = new Option(flag.usage, flag.help).helpGroup(`${flag.group}:`);
    if (flag.repeatable) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
    if (flag.negatedUsage !== undefined) command.addOption(new Option(flag.negatedUsage).hideHelp());
  }
}

/** flags > environment > orbweaver.yaml of the crawl folder > defaults. */
export async function settingsOf(command: Command, folder: string): Promise<ResolvedSettings> {
  const given: Record<string, unknown> = {};
  for (const { key } of settingFlags()) {
    if (command.getOptionValueSource(key) === 'cli') given[key] = command.getOptionValue(key);
  }
  const file = await loadSettingsFile(settingsPath(folder), { optional: true });
  return resolveSettings({ flags: given, env: process.env, file });
}
