/**
 * What a page says it is. 'document': a page of a manual or a wiki; 'discussion': many posts; 'article': one text with a body;
 * 'part': a product, or one of several pages that follow each other. Articles may say the latter as well.
 */
export type StatedKind = 'none' | 'part' | 'article' | 'document' | 'discussion';

/** The later is believed. */
const RANKS: readonly StatedKind[] = ['none', 'part', 'article', 'document', 'discussion'];

/** Of videos and their like the description is the text. */
const ARTICLE_TYPE = /^(?:article|blog|news|story|post|video|music)/i;
const PRODUCT_TYPE = /^(?:og:)?product\b/i;
const DATA_TYPE = /"@type"\s*:\s*(?:\[\s*)?"(\w+)"/g;
const ARTICLES = /(?:Article|BlogPosting|^Recipe|^Review)$/;
const DISCUSSIONS = /^(?:DiscussionForumPosting|QAPage)$/;
const DOCUMENTS = /^(?:APIReference|TechArticle)$/;
const PRODUCTS = /^Product(?:Group)?$/;
const FORUM_SOFTWARE =
  /^(?:discourse|phpbb|vbulletin|xenforo|mybb|flarum|discuz|smf|invision|vanilla|nodebb|fluxbb|askbot)/i;
/** Programs that write manuals and wikis, and nothing else. */
const DOCUMENT_SOFTWARE =
  /^(?:asciidoc|docbook|docutils|docusaurus|dokuwiki|doxygen|exdoc|gitbook|gtk-?doc|gi-docgen|haddock|hevea|javadoc|latex2html|makeinfo|mdbook|mediawiki|mkdocs|moinmoin|pdoc|pkgdown|rdoc|rustdoc|sphinx|texi2html|tiddlywiki|vitepress|xwiki|yard)/i;

/** What a META tag says, its property or name in lower case. */
export function kindOfMeta(property: string, content: string): StatedKind {
  const value = content.trim();
  if (property === 'article:published_time') return 'article';
  if (property === 'og:type') return ARTICLE_TYPE.test(value) ? 'article' : PRODUCT_TYPE.test(value) ? 'part' : 'none';
  if (property !== 'generator') return 'none';
  return DOCUMENT_SOFTWARE.test(value) ? 'document' : FORUM_SOFTWARE.test(value) ? 'discussion' : 'none';
}

/** What a `<link>` says: pages of a manual name those before, after and above them. */
export function kindOfRel(rel: string): StatedKind {
  return /(?:^|\s)(?:prev|previous|next|up)(?:\s|$)/i.test(rel) ? 'part' : 'none';
}

/** What a block of JSON-LD says. */
export function kindOfData(json: string): StatedKind {
  let kind: StatedKind = 'none';
  for (const [, type] of json.matchAll(DATA_TYPE)) kind = moreStated(kind, kindOfType(type));
  return kind;
}

/** Of two statements the one that is believed. */
export function moreStated(one: StatedKind, other: StatedKind): StatedKind {
  return RANKS.indexOf(one) >= RANKS.indexOf(other) ? one : other;
}

function kindOfType(type: string): StatedKind {
  if (DISCUSSIONS.test(type)) return 'discussion';
  if (DOCUMENTS.test(type)) return 'document';
  if (ARTICLES.test(type)) return 'article';
  return PRODUCTS.test(type) ? 'part' : 'none';
}
