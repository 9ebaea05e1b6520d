/** Makes subtitles (.srt) searchable: `orbweaver crawl URL --plugins ./examples/subtitles.ts` */
import type { MediaDocument, Plugin } from '../src/index.ts';

function read({ bytes, url }: MediaDocument) {
  const cues = new TextDecoder().decode(bytes).split(/\r?\n\r?\n/);
  // A cue is its number, its times, and what is said.
  const said = cues.map((cue) =>
    cue
      .split(/\r?\n/)
      .slice(2)
      .join(' ')
      .replaceAll(/<[^>]*>/g, ''),
  );
  return { title: decodeURIComponent(url.split('/').at(-1) ?? ''), text: said.join('\n') };
}

export default { name: 'subtitles', api: 1, converters: { 'application/x-subrip': read } } satisfies Plugin;
