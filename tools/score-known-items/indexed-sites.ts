/** How entries stand in the index of a generator. */
export type IndexForm = 'sphinx' | 'docbook' | 'texinfo' | 'list';

/** A documentation package with an index of its own. */
export interface IndexedSite {
  readonly name: string;
  readonly packageName: string;
  /** Below /usr/share. */
  readonly folder: string;
  readonly form: IndexForm;
  /** Pages with the entries. */
  readonly indexPages: readonly string[];
  /** All pages that are nothing but index: those above, and others of their kind. */
  readonly isIndexPage: RegExp;
}

export const INDEXED_SITES: readonly IndexedSite[] = [
  {
    name: 'django',
    packageName: 'python-django-doc',
    folder: 'doc/python-django-doc/html',
    form: 'sphinx',
    indexPages: ['genindex.html'],
    isIndexPage: /^(?:genindex|py-modindex)\.html$/,
  },
  {
    name: 'python',
    packageName: 'python3.11-doc',
    folder: 'doc/python3.11/html',
    form: 'sphinx',
    indexPages: ['genindex-all.html'],
    isIndexPage: /^(?:genindex.*|py-modindex)\.html$/,
  },
  {
    name: 'postgresql',
    packageName: 'postgresql-doc-15',
    folder: 'doc/postgresql-doc-15/html',
    form: 'docbook',
    indexPages: ['bookindex.html'],
    isIndexPage: /^bookindex\.html$/,
  },
  {
    name: 'cairo',
    packageName: 'libcairo2-doc',
    folder: 'gtk-doc/html/cairo',
    form: 'docbook',
    indexPages: ['index-all.html'],
    isIndexPage: /^index-.*\.html$/,
  },
  {
    name: 'octave',
    packageName: 'octave-doc',
    folder: 'doc/octave/octave.html',
    form: 'texinfo',
    indexPages: ['Function-Index.html', 'Concept-Index.html'],
    isIndexPage: /^(?:(?:Function|Concept|Operator|Graphics-Properties)-Index|XREF.*)\.html$/,
  },
  {
    name: 'sqlite',
    packageName: 'sqlite3-doc',
    folder: 'doc/sqlite3',
    form: 'list',
    indexPages: ['keyword_index.html'],
    isIndexPage:
      /^(?:keyword_index|doc_keyword_crossref|doc_backlink_crossref|doc_pagelink_crossref|doclist|sitemap)\.html$/,
  },
  {
    name: 'git',
    packageName: 'git-doc',
    folder: 'doc/git-doc',
    form: 'list',
    indexPages: [],
    isIndexPage: /^$/,
  },
];
