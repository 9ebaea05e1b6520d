import type { MediaKind } from './media-item.ts';

const BY_ENDING: Readonly<Record<string, string>> = {
  ...{
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    jpe: 'image/jpeg',
    png: 'image/png',
    apng: 'image/apng',
    gif: 'image/gif',
  },
  ...{
    webp: 'image/webp',
    avif: 'image/avif',
    bmp: 'image/bmp',
    svg: 'image/svg+xml',
    tif: 'image/tiff',
    tiff: 'image/tiff',
  },
  ...{
    mp4: 'video/mp4',
    m4v: 'video/mp4',
    webm: 'video/webm',
    ogv: 'video/ogg',
    mov: 'video/quicktime',
    mpd: 'video/mpd',
  },
  ...{ m3u8: 'video/mpegurl', avi: 'video/x-msvideo', mkv: 'video/x-matroska' },
  ...{ mp3: 'audio/mpeg', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', wav: 'audio/wav', m4a: 'audio/mp4' },
  ...{ flac: 'audio/flac', aac: 'audio/aac' },
};

/** Where the address of a file says nothing of its form. */
const ANY = 'unknown';

/** The media type of a file by its address: nobody has asked for the file itself. Of the kind that the page shows it as. */
export function mediaTypeByName(url: string, kind: MediaKind): string {
  const ending = /\.([a-z0-9]{2,5})(?:$|[?#])/i.exec(url)?.[1].toLowerCase() ?? '';
  const type = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : '';
  return type.startsWith(`${kind}/`) ? type : `${kind}/${ANY}`;
}

/** Every type that `mediaTypeByName` answers for a kind. */
export function mediaTypesOfKind(kind: MediaKind): readonly string[] {
  const types = Object.values(BY_ENDING).filter((type) => type.startsWith(`${kind}/`));
  return [...new Set([...types, `${kind}/${ANY}`])];
}
