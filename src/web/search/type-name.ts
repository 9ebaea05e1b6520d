const NAMES: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.ms-powerpoint': 'PowerPoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.oasis.opendocument.text': 'OpenDocument text',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument sheet',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument slides',
  'application/epub+zip': 'EPUB',
  'application/rtf': 'RTF',
  'text/rtf': 'RTF',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'application/json': 'JSON',
  'application/xml': 'XML',
  'text/xml': 'XML',
  'application/rss+xml': 'Feed',
  'application/atom+xml': 'Feed',
  'image/unknown': 'Picture',
  'video/unknown': 'Film',
  'audio/unknown': 'Sound',
};

/** A media type in a word; undefined for ordinary web pages, which need none. */
export function typeName(mediaType: string): string | undefined {
  if (mediaType === '' || mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return undefined;
  return NAMES[mediaType] ?? mediaType.replace(/^.*\//, '').toUpperCase().slice(0, 20);
}
