/**
 * Agreement of `pageMetadata` with the annotations of the data set trafilatura-eval, beside what a reader of `<title>` and
 * META tags alone reaches. `--misses FIELD` lists the pages where the field differs, `--speed` measures the reading.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { charsetOf, decode } from '../src/convert/charset.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { pageMetadata } from '../src/extract/metadata/page-metadata.ts';

interface Annotation {
  readonly id: string;
  readonly url: string;
  readonly title?: string;
  readonly author?: string;
  readonly date?: string;
  readonly sitename?: string;
  readonly license?: string;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
}

interface Answer {
  readonly title: string;
  readonly author: string;
  readonly date: string;
  readonly sitename: string;
  readonly license: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly sources: Readonly<Record<string, string>>;
}

const FIELDS = ['title', 'author', 'date', 'sitename', 'license', 'categories', 'tags'] as const;

const folder = join(fileURLToPath(new URL('../../shared/corpora/', import.meta.url)), 'trafilatura-eval');
const annotations = readFileSync(join(folder, 'annotations.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Annotation);

const pages = annotations.map((annotation) => {
  const bytes = gunzipSync(readFileSync(join(folder, 'html', `${annotation.id}.html.gz`)));
  const { encoding } = charsetOf(bytes, {});
  return { annotation, source: encoding === 'utf-8' ? bytes : decode(bytes, encoding), bytes: bytes.length };
});

function ours(source: string | Uint8Array, url: string): Answer {
  const found = pageMetadata(source, { url });
  return {
    title: found.title?.value ?? '',
    author: found.authors.map(({ value }) => value).join('; '),
    date: found.published?.day ?? '',
    sitename: found.siteName?.value ?? '',
    license: found.license?.value ?? '',
    categories: found.categories.map(({ value }) => value),
    tags: found.tags.map(({ value }) => value),
    sources: {
      title: found.title?.source ?? '',
      author: found.authors[0]?.source ?? '',
      date: found.published?.source ?? '',
      sitename: found.siteName?.source ?? '',
      license: found.license?.source ?? '',
      categories: found.categories[0]?.source ?? '',
      tags: found.tags[0]?.source ?? '',
    },
  };
}

/** What anybody reads at first: `<title>` and META tags of the obvious names. */
function trivial(source: string | Uint8Array, url: string): Answer {
  const text = typeof source === 'string' ? source : Buffer.from(source).toString('utf8');
  const meta = (name: string): string => {
    const tag = new RegExp(`<meta\\s[^>]*(?:name|property)=["']?${name}["'\\s][^>]*>`, 'i').exec(text)?.[0] ?? '';
    return /content=["']([^"']*)/i.exec(tag)?.[1] ?? '';
  };
  return {
    title: extractPage(source, { url }).title,
    author: meta('author'),
    date: (meta('article:published_time') || meta('date')).slice(0, 10),
    sitename: meta('og:site_name'),
    license: '',
    categories: [meta('article:section')].filter((section) => section !== ''),
    tags: meta('keywords')
      .split(/\s*,\s*/)
      .filter((tag) => tag !== ''),
    sources: {},
  };
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function overlap(ours: readonly string[], theirs: readonly string[]): number {
  const left = new Set(ours.map(plain));
  const right = new Set(theirs.map(plain));
  const shared = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size === 0 ? 1 : (2 * shared) / (left.size + right.size);
}

/** 1 for the same, 0 for something else: exact for title, date, site and licence, overlap (F1) of words or entries for the rest. */
function agreement(field: (typeof FIELDS)[number], answer: Answer, annotation: Annotation): number | undefined {
  switch (field) {
    case 'categories':
    case 'tags': {
      const wanted = annotation[field] ?? [];
      return wanted.length === 0 ? undefined : overlap(answer[field], wanted);
    }
    case 'author': {
      if (!annotation.author) return undefined;
      return overlap(plain(answer.author).split(' '), plain(annotation.author).split(' '));
    }
    default: {
      const wanted = annotation[field];
      return wanted === undefined || wanted === '' ? undefined : Number(plain(answer[field]) === plain(wanted));
    }
  }
}

const misses = process.argv.includes('--misses') ? process.argv[process.argv.indexOf('--misses') + 1] : undefined;
for (const field of FIELDS) {
  const scores = { pages: 0, ours: 0, whole: 0, told: 0, trivial: 0, invented: 0, empty: 0 };
  for (const { annotation, source } of pages) {
    const answer = ours(source, annotation.url);
    const score = agreement(field, answer, annotation);
    const said = answer[field].length > 0;
    if (score === undefined) {
      // Fields that the annotator left empty, not those that were not asked for.
      if (annotation[field] !== undefined) {
        scores.empty++;
        if (said) scores.invented++;
        if (said && misses === `${field}+`)
          console.log(
            annotation.id,
            annotation.url.slice(0, 60),
            '| found',
            answer[field],
            `(${answer.sources[field]})`,
          );
      }
      continue;
    }
    scores.pages++;
    scores.ours += score;
    scores.whole += score === 1 ? 1 : 0;
    scores.told += said ? 1 : 0;
    scores.trivial += agreement(field, trivial(source, annotation.url), annotation) ?? 0;
    if (misses === field && score < 1)
      console.log(
        annotation.id,
        annotation.url.slice(0, 60),
        '| wanted',
        annotation[field],
        '| found',
        answer[field],
        `(${answer.sources[field]})`,
      );
  }
  const share = (part: number): string => (part / scores.pages).toFixed(3);
  console.log(
    `${field.padEnd(10)} pages ${String(scores.pages).padStart(3)}  agreement ${share(scores.ours)}  whole ${share(scores.whole)}` +
      `  answered ${share(scores.told)}  trivial ${share(scores.trivial)}  said where the annotation is empty ${scores.invented}/${scores.empty}`,
  );
}

if (process.argv.includes('--speed')) {
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
  for (let round = 0; round < 5; round++)
    for (const { annotation, source } of pages) pageMetadata(source, { url: annotation.url });
  const before = process.cpuUsage();
  for (let round = 0; round < 10; round++)
    for (const { annotation, source } of pages) pageMetadata(source, { url: annotation.url });
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${((bytes * 10) / (user + system)).toFixed(1)} MB per CPU second, ${pages.length} pages, ${(bytes / 1e6).toFixed(1)} MB`,
  );
}
