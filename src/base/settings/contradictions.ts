import { type SettingKey, type Settings, settingOf } from './schema.ts';
import { settingName } from './setting-names.ts';

/** Values that are fine alone but not together. */
export function contradictions(settings: Settings): string[] {
  const found: string[] = [];
  // A lease that ends while its request may still run would let a second worker ask the same host.
  if (settings.lease <= settings.totalTimeout) found.push(mustExceed(settings, 'lease', 'totalTimeout'));
  if (settings.dnsTtlMax < settings.dnsTtlMin) found.push(mustReach(settings, 'dnsTtlMax', 'dnsTtlMin'));
  if (settings.backoffMax < settings.backoffStart) found.push(mustReach(settings, 'backoffMax', 'backoffStart'));
  // Behind a proxy every host has its address: all would share one clock.
  if (settings.proxy !== '' && settings.politeness.includes('ip'))
    found.push(`${shown(settings, 'politeness')} cannot be kept behind a proxy, which hides the addresses.`);
  return found;
}

function mustExceed(settings: Settings, greater: SettingKey, smaller: SettingKey): string {
  return `${shown(settings, greater)} must be longer than ${shown(settings, smaller)}.`;
}

function mustReach(settings: Settings, greater: SettingKey, smaller: SettingKey): string {
  return `${shown(settings, greater)} must not be shorter than ${shown(settings, smaller)}.`;
}

function shown(settings: Settings, key: SettingKey): string {
  return `${settingName(key)} (${settingOf(key).kind.write(settings[key])})`;
}
