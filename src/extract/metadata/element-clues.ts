/** What the text of an element may be. */
export type Role =
  | 'title'
  | 'author'
  | 'published'
  | 'modified'
  | 'date'
  | 'tag'
  | 'tags'
  | 'category'
  | 'categories'
  | 'siteName'
  | 'banner';

export interface Clue {
  readonly role: Role;
  readonly source: string;
  readonly weight: number;
}

/** One test per element: whether its class or id can mean anything at all. */
const TELLING =
  /auth?or|auteur|autrice|byline|by-line|verfasser|redakt|redacteur|writer|journalist|creator|posted|submitted|vcard|credit|dat(?:e|um)|time|fecha|publi|veroeff|meta|info|(?:title|headline)|tag|categor|kategori|catlinks|breadcrumb|rubri|section-name|kicker|comment|kommentar|related|recommend|sidebar|teaser|widget|popular|trending|newsletter|recent|latest|footer|similar|carousel|slider|promo|more-|mehr|read-next|banner|menu|nav|disqus|respond|archive|byl|source|project-?name|site-?name|site-?title/;

const NOT_OF_PAGE =
  /(?<!has-|no-|with-|hide-)(?:\bcomment|kommentar|comment-?(?:list|body|author|meta)|related|recommend|sidebar|teaser|widget|popular|trending|newsletter|recent|latest|\bfooter|site-footer|similar|carousel|slider|promo|more-(?:from|stories|news)|read-next|disqus|respond|\bmenu|navbar|navigation)/;

const AUTHOR =
  /(?:^|[\s_-])(?:p-)?auth?ors?(?:$|[\s_-])|auth?or[_-]?(?:name|link|title)|(?:article|post|entry|content|news|story|blog|page|by)[_-]*auth?or|auteur|autrice|byline|by-line|verfasser|redakteur|redacteur|journalist|writer|dcreator|posted-?by|submitted|(?:^|\s)(?:fn|vcard)(?:$|\s)/;
const NOT_AUTHOR =
  /bio|box|desc|image|img|photo|avatar|picture|social|follow|about|widget|thumb|comment|more|twitter|email/;

const TITLE =
  /(?:entry|post|article|page|story|news|blog|content|detail|beitrag|artikel)[_-]*(?:title|headline|heading)|(?:^|[\s_-])(?:headline|p-name)(?:$|[\s_-])|(?:^|\s)title(?:$|\s)/;
const NOT_TITLE = /site|logo|sub|teaser|related|widget|list|meta|nav|brand|kicker|over|super/;

const MODIFIED = /updat|modif|aktualis|(?:^|[\s_-])(?:changed|edited)/;
const PUBLISHED =
  /publi[sc]|pubdate|posted|entry-date|post-?date|article-?date|datepub|dateline|veroeff|(?:^|[\s_-])created/;
const DATE =
  /(?:^|[\s_-])(?:date|datum|fecha|data|time|timestamp|meta|info)|(?:date|datum|timestamp|-time|meta)(?:$|[\s_-])|byline/;
const NOT_DATE = /timeline|reading|read-|metabox|event|copyright|candidate|sometimes|comment/;

/** What the frame of a site calls it. */
const BANNER = /(?:^|[\s_-])(?:project-?name|site-?(?:name|title))(?:$|[\s_-])/;
const TAGS =
  /(?:^|[\s_-])tags?(?:$|[\s_-])|tag-?(?:list|links|cloud)|(?:post|entry|article|content|news)[_-]*tags|keywords|schlagw/;
const NOT_TAGS = /hashtag-|meta-tag|tagline|cloud|widget|vintage|tag-manager|gtm/;
const CATEGORIES =
  /cat-?links|(?:post|entry|article|content|news)[_-]*categor|(?:^|[\s_-])categor(?:y|ies)(?:$|[\s_-])|kategorie|rubri|posted-in/;
const BREADCRUMB = /breadcrumb/;

export interface NameClues {
  /** The element holds other things than the page's own article. */
  readonly elsewhere: boolean;
  readonly clues: readonly Clue[];
}

const NOTHING: NameClues = { elsewhere: false, clues: [] };

/** What class and id of an element say of it; lower case. */
export function cluesOfNames(names: string): NameClues {
  if (!TELLING.test(names)) return NOTHING;
  const elsewhere = NOT_OF_PAGE.test(names);
  const clues = rolesOf(names);
  return { elsewhere, clues: elsewhere ? clues.map((clue) => ({ ...clue, weight: clue.weight - 40 })) : clues };
}

function rolesOf(names: string): Clue[] {
  const clues: Clue[] = [];
  if (AUTHOR.test(names)) {
    const weight = NOT_AUTHOR.test(names) ? 30 : /byline|name|fn|by-line/.test(names) ? 60 : 55;
    clues.push({ role: 'author', source: 'class author', weight });
  }
  if (TITLE.test(names) && !NOT_TITLE.test(names)) clues.push({ role: 'title', source: 'class title', weight: 55 });
  if (!NOT_DATE.test(names)) {
    if (MODIFIED.test(names) && !PUBLISHED.test(names))
      clues.push({ role: 'modified', source: 'class updated', weight: 50 });
    else if (PUBLISHED.test(names)) clues.push({ role: 'published', source: 'class published', weight: 62 });
    else if (DATE.test(names))
      clues.push({ role: 'date', source: 'class date', weight: /meta|info|byline/.test(names) ? 45 : 58 });
  }
  if (BANNER.test(names)) clues.push({ role: 'banner', source: 'class site name', weight: 10 });
  if (TAGS.test(names) && !NOT_TAGS.test(names)) clues.push({ role: 'tags', source: 'class tags', weight: 50 });
  if (CATEGORIES.test(names)) clues.push({ role: 'categories', source: 'class category', weight: 50 });
  else if (BREADCRUMB.test(names)) clues.push({ role: 'categories', source: 'class breadcrumb', weight: 20 });
  return clues;
}

const PROPERTIES: Readonly<Record<string, Clue>> = {
  headline: { role: 'title', source: 'microdata headline', weight: 75 },
  author: { role: 'author', source: 'microdata author', weight: 75 },
  creator: { role: 'author', source: 'microdata creator', weight: 72 },
  datepublished: { role: 'published', source: 'microdata datePublished', weight: 88 },
  datecreated: { role: 'published', source: 'microdata dateCreated', weight: 80 },
  uploaddate: { role: 'published', source: 'microdata uploadDate', weight: 78 },
  datemodified: { role: 'modified', source: 'microdata dateModified', weight: 88 },
  publisher: { role: 'siteName', source: 'microdata publisher', weight: 60 },
  keywords: { role: 'tags', source: 'microdata keywords', weight: 70 },
  articlesection: { role: 'category', source: 'microdata articleSection', weight: 75 },
  created: { role: 'published', source: 'rdfa created', weight: 70 },
  issued: { role: 'published', source: 'rdfa issued', weight: 75 },
};

/** What an `itemprop`, or the `property` of RDFa, means; prefixes like `schema:` do not matter. */
export function clueOfProperty(property: string): Clue | undefined {
  for (const written of property.toLowerCase().split(/\s+/)) {
    const name = written.slice(written.lastIndexOf(':') + 1);
    if (Object.hasOwn(PROPERTIES, name)) return PROPERTIES[name];
  }
  return undefined;
}

/** What the `rel` of an anchor means; a tag may be a category by where it leads. */
export function clueOfRel(rel: string, href: string): Clue | undefined {
  const tokens = ` ${rel.toLowerCase()} `;
  if (tokens.includes(' author ')) return { role: 'author', source: 'rel author', weight: 65 };
  if (tokens.includes(' category ')) return { role: 'category', source: 'rel category', weight: 97 };
  if (!tokens.includes(' tag ')) return undefined;
  if (/\/(?:categor|kategori|rubri)/i.test(href)) return { role: 'category', source: 'rel category', weight: 97 };
  return { role: 'tag', source: 'rel tag', weight: 96 };
}
