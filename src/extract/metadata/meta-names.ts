import type { Field } from './findings.ts';

export interface MetaMeaning {
  readonly field: Field;
  readonly weight: number;
}

/** What META names and properties mean, the more believable first; names in lower case. */
const NAMES: readonly (readonly [field: Field, names: string])[] = [
  [
    'title',
    'og:title twitter:title citation_title dcterms.title dc.title dc:title sailthru.title parsely-title headline title',
  ],
  [
    'author',
    'citation_author byl parsely-author sailthru.author author article:author_name dcterms.creator dc.creator dc:creator ' +
      'dcterms.contributor cxenseparse:author creator article:author og:article:author authors twitter:creator:name article.author',
  ],
  [
    'published',
    'article:published_time og:article:published_time og:published_time article:published datepublished ' +
      'citation_publication_date citation_online_date citation_date parsely-pub-date sailthru.date dcterms.issued ' +
      'dc.date.issued dcterms.created dc.date.created dcterms.date dc.date dc:date pubdate publishdate publish-date ' +
      'publish_date published_time publication_date publication-date date_published ' +
      'cxenseparse:recs:publishtime cxenseparse:publishtime shareaholic:article_published_time displaydate date ' +
      'video:release_date article_date_original originalpublicationdate release_date datecreated date.created ' +
      'og:pubdate rnews:datepublished timestamp',
  ],
  [
    'modified',
    'article:modified_time og:updated_time og:article:modified_time article:modified dcterms.modified dc.date.modified ' +
      'datemodified date_modified last-modified lastmod revised last_updated modified',
  ],
  [
    'siteName',
    'og:site_name application-name dcterms.publisher dc.publisher dc:publisher publisher apple-mobile-web-app-title',
  ],
  ['language', 'content-language dcterms.language dc.language dc:language language og:locale'],
  [
    'description',
    'og:description description twitter:description dcterms.description dc.description dc:description sailthru.description',
  ],
  [
    'image',
    'og:image og:image:url og:image:secure_url twitter:image twitter:image:src thumbnail thumbnailurl sailthru.image.full image',
  ],
  ['type', 'og:type dcterms.type dc.type'],
  [
    'tag',
    'article:tag og:article:tag news_keywords keywords parsely-tags sailthru.tags citation_keywords dcterms.subject dc.subject dc:subject',
  ],
  [
    'category',
    'article:section og:article:section og:section parsely-section category cxenseparse:category section article.section',
  ],
  ['license', 'dcterms.license dc.rights.license dcterms.rights dc.rights license'],
];

const HEAVIEST = 95;
/** `date` and `title` bare may be anything; still better than looking at the page. */
const LIGHTEST = 70;

const meanings = new Map<string, MetaMeaning>();
for (const [field, names] of NAMES) {
  for (const [place, name] of names.split(' ').entries())
    meanings.set(name, { field, weight: Math.max(LIGHTEST, HEAVIEST - place) });
}

export function metaMeaning(name: string): MetaMeaning | undefined {
  return meanings.get(name);
}
