import { type SettingKey, type Settings, settingOf } from './schema.ts';
import { settingName } from './setting-names.ts';

/** What stores of this kind take in one request. */
const LARGEST_OBJECT = 5e9;

/** Values that are fine alone but not together. */
export function contradictions(settings: Settings): string[] {
  const found: string[] = [];
  // A lease that ends while its request may still run would let a second worker ask the same host.
  if (settings.lease <= settings.totalTimeout) found.push(mustExceed(settings, 'lease', 'totalTimeout'));
  if (settings.render !== 'never' && settings.lease <= settings.totalTimeout + settings.renderTimeout)
    found.push(
      `${shown(settings, 'lease')} must be longer than ${shown(settings, 'totalTimeout')} and ${shown(settings, 'renderTimeout')} together.`,
    );
  if (settings.dnsTtlMax < settings.dnsTtlMin) found.push(mustReach(settings, 'dnsTtlMax', 'dnsTtlMin'));
  if (settings.backoffMax < settings.backoffStart) found.push(mustReach(settings, 'backoffMax', 'backoffStart'));
  // Behind a proxy every host has its address: all would share one clock.
  if (settings.proxy.length > 0 && settings.politeness.includes('ip'))
    found.push(`${shown(settings, 'politeness')} cannot be kept behind a proxy, which hides the addresses.`);
  if ((settings.signatureKey === '') !== (settings.signatureAgent === ''))
    found.push('signature-key and signature-agent go together: who signs says where the public key is found.');
  if (settings.partitions > 1 && settings.store === '')
    found.push(`${shown(settings, 'partitions')} needs store: several nodes share a crawl in a database.`);
  if (settings.archiveStore === '' && settings.archiveLocal === 'delete')
    found.push(
      `${shown(settings, 'archiveLocal')} needs archive-store: files are deleted only where a store has them.`,
    );
  if (settings.archiveStore !== '' && settings.archiveFileSize > LARGEST_OBJECT)
    found.push(`${shown(settings, 'archiveFileSize')} is more than archive-store takes in one file: 5 GB at most.`);
  if (settings.fromWarc.length > 0 && (settings.store !== '' || settings.continuous))
    found.push(
      `${shown(settings, 'fromWarc')} answers one crawl in a folder, and always alike: it goes neither with store nor with continuous.`,
    );
  return [
    ...found,
    ...nodeContradictions(settings),
    ...revisitContradictions(settings),
    ...topicContradictions(settings),
  ];
}

const COMPARED = 'Compare it with: orbweaver simulate run --cluster';

/** Modes of the textbook that put several nodes on one host are compared in the laboratory; no crawl is done so. */
function nodeContradictions(settings: Settings): string[] {
  const found: string[] = [];
  const { assignment, nodes, nodeNumber, partitions, leavingLinks } = settings;
  if (settings.partitionBy === 'url')
    found.push(
      `${shown(settings, 'partitionBy')} would let every node ask every host, and nobody could keep its delay: give site or hierarchy. ${COMPARED}`,
    );
  if (assignment === 'independent')
    found.push(
      `${shown(settings, 'assignment')} would let every node ask every host, and nobody could keep its delay: give dynamic, nearest or static. Crawls that share nothing need no store: begin each with orbweaver crawl in a folder of its own, with a delay that is longer by their number. ${COMPARED}`,
    );
  if (leavingLinks === 'cross-over')
    found.push(
      `${shown(settings, 'leavingLinks')} would let two nodes ask one host, and nobody could keep its delay: give exchange or firewall. ${COMPARED}`,
    );
  if (leavingLinks === 'firewall' && assignment !== 'static')
    found.push(
      `${shown(settings, 'leavingLinks')} needs assignment (static): where partitions move between nodes, so would the wall.`,
    );
  if (assignment === 'static' && (nodes < 1 || nodes > partitions))
    found.push(`${shown(settings, 'assignment')} needs nodes: how many, from 1 to ${shown(settings, 'partitions')}.`);
  if (assignment === 'static' && nodeNumber > nodes)
    found.push(`${shown(settings, 'nodeNumber')} must not be greater than ${shown(settings, 'nodes')}.`);
  return found;
}

function revisitContradictions(settings: Settings): string[] {
  const found: string[] = [];
  if (settings.revisitMax < settings.revisitMin) found.push(mustReach(settings, 'revisitMax', 'revisitMin'));
  // A goal costs what it costs: a budget beside it would be broken, or the goal missed, without a word.
  if (settings.freshnessGoal > 0 && settings.requestsPerDay !== 'auto')
    found.push(
      `${shown(settings, 'freshnessGoal')} and ${shown(settings, 'requestsPerDay')} exclude each other: give the goal and see its cost with status, or give the requests and see the freshness.`,
    );
  if (settings.push.includes('websub') && settings.pushAddress === '')
    found.push(`${shown(settings, 'push')} needs push-address: the address at which hubs reach this server.`);
  if (!settings.continuous)
    for (const key of idleWithoutRevisits(settings))
      found.push(`${shown(settings, key)} is for a crawl that goes on: give continuous as well, or leave it out.`);
  return found;
}

function idleWithoutRevisits({ updates, freshnessGoal, requestsPerDay }: Settings): SettingKey[] {
  const idle: SettingKey[] = updates === 'shadow' ? ['updates'] : [];
  if (freshnessGoal > 0) idle.push('freshnessGoal');
  if (requestsPerDay !== 'auto') idle.push('requestsPerDay');
  return idle;
}

function topicContradictions(settings: Settings): string[] {
  const given = (['topic', 'topicFile', 'like'] as const).find((key) => settings[key].length > 0);
  if (given === undefined) {
    if (settings.unlike.length === 0) return [];
    return [`${shown(settings, 'unlike')} says what is not wanted; what is comes from topic, topic-file or like.`];
  }
  if (settings.text) return [];
  return [`${shown(settings, given)} is judged by the text of pages: leave ${settingName('text')} on.`];
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
