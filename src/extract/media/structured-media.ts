import { parseLenientJson } from '../metadata/lenient-json.ts';
import { collapsed, type FoundMedia, type MediaKind } from './media-item.ts';

type Node = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 16;
const MAX_NODES = 4000;
const KINDS: ReadonlyMap<string, MediaKind> = new Map([
  ['ImageObject', 'image'],
  ['Photograph', 'image'],
  ['VideoObject', 'video'],
  ['AudioObject', 'audio'],
]);

/** Pictures, films and sounds that the JSON-LD of a page describes: ImageObject and its like, wherever they lie in it. Never throws. */
export function structuredMedia(scripts: readonly string[]): FoundMedia[] {
  const found: FoundMedia[] = [];
  let nodes = 0;
  const visit = (value: unknown, key: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || ++nodes > MAX_NODES) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, key, depth + 1);
      return;
    }
    const node = value as Node;
    // Logos and portraits of authors say nothing of the page.
    if (key !== 'logo' && key !== 'author' && key !== 'publisher') {
      const media = mediaOf(node);
      if (media !== undefined) found.push(media);
      for (const [name, inner] of Object.entries(node)) if (typeof inner === 'object') visit(inner, name, depth + 1);
    }
  };
  for (const script of scripts) visit(parseLenientJson(script), '', 0);
  return found;
}

function mediaOf(node: Node): FoundMedia | undefined {
  const kind = strings(node['@type'])
    .map((type) => KINDS.get(type.slice(type.lastIndexOf('/') + 1)))
    .find((known) => known !== undefined);
  if (kind === undefined) return undefined;
  // The `url` of a film is the page that shows it, as often as not.
  const reference = text(node.contentUrl) || (kind === 'image' ? text(node.url) : text(node.embedUrl));
  if (reference === '') return undefined;
  const alt = collapsed(text(node.name) || text(node.headline) || text(node.alternateName));
  const caption = collapsed(text(node.caption) || text(node.description));
  const [width, height] = [pixels(node.width), pixels(node.height)];
  return { kind, reference, alt, caption, heading: '', words: '', width, height };
}

function strings(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
}

function text(value: unknown): string {
  return strings(value)[0] ?? '';
}

function pixels(value: unknown): number {
  const number = Number.parseInt(String(value), 10);
  return number > 0 && number < 100_000 ? number : 0;
}
