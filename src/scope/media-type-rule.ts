import type { Settings } from '../base/settings/schema.ts';
import { Glob } from './glob.ts';

/** What pages are made of; wanted where `resources` is on. */
const RESOURCE_MEDIA_TYPES = [
  ...['image/*', 'audio/*', 'video/*', 'font/*', 'text/css', 'text/javascript'],
  ...['application/javascript', 'application/x-javascript', 'application/ecmascript', 'application/wasm'],
  ...['application/font-*', 'application/x-font-*', 'application/vnd.ms-fontobject', 'application/ogg'],
];

/** Servers send few different types, but a hostile one could make up endlessly many. */
const MAX_KEPT_ANSWERS = 1000;

/** Decides after the headers whether a body is worth fetching. */
export class MediaTypeRule {
  readonly #accepted: readonly Glob[];
  readonly #answers = new Map<string, string | undefined>();

  constructor({ mediaTypes, resources, images }: Pick<Settings, 'mediaTypes' | 'resources' | 'images'>) {
    const ranges = [
      ...mediaTypes,
      ...(resources ? RESOURCE_MEDIA_TYPES : []),
      ...(images === 'fetch' ? ['image/*'] : []),
    ];
    this.#accepted = ranges.map((range) => new Glob(range));
  }

  /** The reason to stop, or undefined where the body is wanted. A type that is not told, or not one, has to be looked at. */
  refusal(contentType: string | undefined): string | undefined {
    if (contentType === undefined) return undefined;
    if (this.#answers.has(contentType)) return this.#answers.get(contentType);
    if (this.#answers.size >= MAX_KEPT_ANSWERS) this.#answers.clear();
    const answer = wantedMediaType(contentType, this.#accepted) ? undefined : `media type ${essenceOf(contentType)}`;
    this.#answers.set(contentType, answer);
    return answer;
  }
}

function wantedMediaType(contentType: string, accepted: readonly Glob[]): boolean {
  const essence = essenceOf(contentType);
  return !/^[^/\s]+\/[^/\s]+$/.test(essence) || accepted.some((range) => range.matches(essence));
}

function essenceOf(contentType: string): string {
  const semicolon = contentType.indexOf(';');
  return (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
}
