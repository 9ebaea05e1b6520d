/**
 * Documentation packages of the distribution, one for each template: which element holds the main text, what in it is
 * navigation, and where a page says its title. Selectors are lists of `tag.class#id[attribute=value]`, the best first; of several
 * elements the first is the heading, and the one with most text the main element.
 */
export interface DocumentationSite {
  readonly name: string;
  readonly generator: string;
  /** To be installed where the folder is absent. */
  readonly packageName: string;
  /** Below the root, `/usr/share` unless another is named. */
  readonly folder: string;
  /** Pages that are not of this template: framesets, search forms, source listings. */
  readonly skip?: RegExp;
  readonly main: readonly string[];
  /** Of several elements the last is the main element, not the one with most text. */
  readonly mainIsLast?: true;
  /** Elements of the main element that are not part of its text. */
  readonly without?: readonly string[];
  /** Headings that are the title of the page, the best first. */
  readonly heading: readonly string[];
  /** What the site adds to `<title>`. */
  readonly siteName?: RegExp;
  /** Kept out of tuning: scored with `--hold-out` only. */
  readonly holdOut?: true;
}

const HEADER_LINKS = ['a.headerlink', 'a.permalink', 'a.anchor', 'a.copiable-anchor', 'a.copiable-link', 'a.link'];

export const DOCUMENTATION_SITES: readonly DocumentationSite[] = [
  {
    name: 'django',
    generator: 'Sphinx',
    packageName: 'python-django-doc',
    folder: 'doc/python-django-doc/html',
    skip: /(?:^|\/)(?:search|genindex|_modules)/,
    main: ['div.yui-g'],
    without: HEADER_LINKS,
    heading: ['h1'],
    siteName: / [—|] Django .*$/,
  },
  {
    name: 'python',
    generator: 'Sphinx',
    packageName: 'python3.11-doc',
    folder: 'doc/python3.11/html',
    skip: /(?:^|\/)(?:search|opensearch)/,
    main: ['div.body[role=main]'],
    without: HEADER_LINKS,
    heading: ['h1'],
    siteName: / — Python .*$/,
  },
  {
    name: 'valgrind',
    generator: 'DocBook',
    packageName: 'valgrind',
    folder: 'doc/valgrind/html',
    main: ['div.set', 'div.book', 'div.chapter', 'div.article', 'div.appendix', 'div.reference', 'div.preface'],
    heading: ['h1.title', 'h2.title'],
  },
  {
    name: 'postgresql',
    generator: 'DocBook',
    packageName: 'postgresql-doc-15',
    folder: 'doc/postgresql-doc-15/html',
    main: [
      ...['div.book', 'div.part', 'div.chapter', 'div.appendix', 'div.preface', 'div.reference', 'div.refentry'],
      ...['div.sect1', 'div.sect2', 'div.sect3', 'div.index', 'div.bibliography', 'div.legalnotice', 'div.article'],
    ],
    heading: ['h1.title', 'h2.title', 'h1'],
    siteName: /: PostgreSQL .*$/,
  },
  {
    name: 'cairo',
    generator: 'gtk-doc',
    packageName: 'libcairo2-doc',
    folder: 'gtk-doc/html/cairo',
    main: [
      ...['div.book', 'div.part', 'div.chapter', 'div.appendix', 'div.refentry', 'div.index', 'div.reference'],
      ...['div.sect1', 'div.section'],
    ],
    without: ['div.footer'],
    heading: ['h1.title', 'h2.title', 'h2'],
    siteName: /: Cairo: A Vector Graphics Library$/,
  },
  {
    name: 'libxslt',
    generator: 'XSLT with layout tables',
    packageName: 'libxslt1-dev',
    folder: 'doc/libxslt1-dev/html',
    skip: /^(?:tutorial|EXSLT\/index|index\.html)/,
    main: ['td[bgcolor=#fffacd]'],
    mainIsLast: true,
    without: ['table.navigation'],
    heading: ['h2'],
  },
  {
    name: 'git',
    generator: 'AsciiDoc',
    packageName: 'git-doc',
    folder: 'doc/git-doc',
    skip: /^(?:RelNotes)/,
    main: ['body'],
    without: ['div#footer', 'div#toc'],
    heading: ['h1'],
  },
  {
    name: 'taglib',
    generator: 'Doxygen',
    packageName: 'libtag1-doc',
    folder: 'doc/libtag1-dev/html',
    main: ['div.contents'],
    without: ['span.permalink'],
    heading: ['div.title', 'h3'],
    siteName: / \(TagLib\)$|^TagLib: /,
  },
  {
    name: 'octave',
    generator: 'texinfo',
    packageName: 'octave-doc',
    folder: 'doc/octave/octave.html',
    main: ['body'],
    without: ['div.header', ...HEADER_LINKS],
    heading: ['h1', 'h2', 'h3', 'h4', 'h5'],
    siteName: / \(GNU Octave .*$/,
  },
  {
    name: 'info',
    generator: 'texinfo',
    packageName: 'info',
    folder: 'doc/info/html',
    main: ['body'],
    without: ['div.header', ...HEADER_LINKS],
    heading: ['h1', 'h2', 'h3', 'h4', 'h5'],
    siteName: / \(Stand-alone GNU Info.*$/,
  },
  {
    name: 'sqlite',
    generator: 'by hand',
    packageName: 'sqlite3-doc',
    folder: 'doc/sqlite3',
    main: ['body'],
    without: ['div.nosearch', 'form', 'div.fancy_toc', 'a#mtimelink', 'div.menu', 'div.searchmenu'],
    heading: ['div.fancy_title', 'h1', 'h2'],
  },
  {
    name: 'cppreference',
    generator: 'MediaWiki',
    packageName: 'cppreference-doc-en-html',
    folder: 'cppreference/doc/html/en',
    main: ['div#mw-content-text'],
    without: ['div.t-navbar', 'span.editsection', 'table.toc', 'div.toc', 'div.printfooter'],
    heading: ['h1'],
    siteName: / - cppreference\.com$/,
  },
  {
    name: 'jsoup',
    generator: 'javadoc',
    packageName: 'libjsoup-java-doc',
    folder: 'doc/libjsoup-java/api',
    skip: /(?:^|\/)(?:index|allclasses-frame|overview-frame|package-frame|.*-frame)\.html$|^index-files\/.*script/,
    main: ['main'],
    heading: ['h1.title', 'h2.title', 'h1', 'h2'],
    siteName: / \(jsoup Java HTML Parser .*$/,
  },
  {
    name: 'alloc',
    generator: 'rustdoc',
    packageName: 'rust-doc',
    folder: 'doc/rust-doc/html/alloc',
    skip: /sidebar-items|^all\.html/,
    main: ['section#main-content', 'main'],
    without: ['a.anchor', 'nav'],
    heading: ['h1.fqn', 'h1'],
    siteName: / - Rust$/,
  },
  {
    name: 'nodejs',
    generator: 'api-docs-tooling',
    packageName: 'nodejs',
    folder: 'doc/nodejs/api',
    skip: /^(?:all|index)\.html/,
    main: ['div#apicontent'],
    without: ['a.mark'],
    heading: ['h2', 'h1'],
    siteName: / \| Node\.js .*$/,
    holdOut: true,
  },
  {
    name: 'attrs',
    generator: 'Sphinx, theme of Read the Docs',
    packageName: 'python-attr-doc',
    folder: 'doc/python-attr-doc/html',
    skip: /(?:^|\/)(?:search|genindex|py-modindex|_modules)/,
    main: ['div[role=main]', 'article[role=main]'],
    without: HEADER_LINKS,
    heading: ['h1'],
    siteName: / [-—] attrs .*$/,
    holdOut: true,
  },
  {
    name: 'rust-book',
    generator: 'mdBook',
    packageName: 'rust-doc',
    folder: 'doc/rust-doc/html/book',
    skip: /^(?:print|toc|404|2018-edition|first-edition|second-edition)/,
    main: ['main'],
    heading: ['h1', 'h2'],
    siteName: / - The Rust Programming Language$/,
    holdOut: true,
  },
  {
    name: 'cargo',
    generator: 'rustdoc',
    packageName: 'cargo-doc',
    folder: 'doc/cargo/doc',
    skip: /^(?:src|help|settings|search)|(?:^|\/)(?:all|sidebar-items)\.html$/,
    main: ['section#main-content', 'main'],
    without: ['a.anchor', 'nav'],
    heading: ['h1.fqn', 'h1'],
    siteName: / - Rust$/,
    holdOut: true,
  },
];
