import { mediaTypesOfKind } from '../../extract/media/media-types.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

/** What people call a kind of file, and the media types that it is sent as. */
const FILE_TYPES: Readonly<Record<string, readonly string[]>> = {
  html: ['text/html', 'application/xhtml+xml'],
  pdf: ['application/pdf'],
  doc: ['application/msword', WORD],
  docx: [WORD],
  xls: ['application/vnd.ms-excel', SHEET],
  xlsx: [SHEET],
  ppt: ['application/vnd.ms-powerpoint', SLIDES],
  pptx: [SLIDES],
  odt: ['application/vnd.oasis.opendocument.text'],
  ods: ['application/vnd.oasis.opendocument.spreadsheet'],
  odp: ['application/vnd.oasis.opendocument.presentation'],
  rtf: ['application/rtf', 'text/rtf'],
  txt: ['text/plain'],
  md: ['text/markdown'],
  csv: ['text/csv'],
  xml: ['application/xml', 'text/xml'],
  json: ['application/json'],
  feed: ['application/rss+xml', 'application/atom+xml', 'application/feed+json'],
  rss: ['application/rss+xml'],
  atom: ['application/atom+xml'],
  epub: ['application/epub+zip'],
  ps: ['application/postscript'],
  jpg: ['image/jpeg'],
  png: ['image/png'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  avif: ['image/avif'],
  svg: ['image/svg+xml'],
  mp4: ['video/mp4'],
  webm: ['video/webm'],
  mp3: ['audio/mpeg'],
  image: mediaTypesOfKind('image'),
  video: mediaTypesOfKind('video'),
  audio: mediaTypesOfKind('audio'),
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  htm: 'html',
  xhtml: 'html',
  text: 'txt',
  markdown: 'md',
  word: 'doc',
  excel: 'xls',
  powerpoint: 'ppt',
  jpeg: 'jpg',
  images: 'image',
  picture: 'image',
  pictures: 'image',
  photo: 'image',
  photos: 'image',
  videos: 'video',
  film: 'video',
  films: 'video',
  sound: 'audio',
  sounds: 'audio',
};

const OF_MEDIA = /^(?:image|video|audio)\//;

/** Whether files of this kind are pictures, films or sounds, which have an index of their own. */
export function isMediaType(name: string): boolean {
  const types = mediaTypesOf(name) ?? [];
  return types.length > 0 && types.every((type) => OF_MEDIA.test(type));
}

/** The media types of a kind of file; a media type stands for itself. */
export function mediaTypesOf(name: string): readonly string[] | undefined {
  const plain = name.toLowerCase().replace(/^\.+/, '');
  if (/^[a-z]+\/[\w.+-]+$/.test(plain)) return [plain];
  const known = Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : plain;
  return Object.hasOwn(FILE_TYPES, known) ? FILE_TYPES[known] : undefined;
}

/** The shortest name for a media type that `filetype:` understands. */
export function fileTypeName(mediaType: string): string {
  // The name whose main type it is: docx for what doc finds too.
  const exact = Object.entries(FILE_TYPES).find(([, types]) => types[0] === mediaType);
  return (exact ?? Object.entries(FILE_TYPES).find(([, types]) => types.includes(mediaType)))?.[0] ?? mediaType;
}
