import {
  ABOUT,
  BODY,
  CONSENT,
  CONTENTS,
  DISCUSSION,
  FRAME,
  LEAD,
  MAYBE_BODY,
  NOISE,
  POST,
  SUBTITLE,
  TEASER,
} from './name-hints.ts';

/** The words by which elements say what they are, in the languages of the web. */
const WORD_START = '(?:^|[ _-])';
const WORD_END = '(?:$|[ _-])';

function words(list: string): RegExp {
  return new RegExp(`${WORD_START}(?:${list.trim().split(/\s+/).join('|')})${WORD_END}`);
}

const BODY_NAMES = words(`
  (?:article|story|post|entry|news|blog|page|main|content|single|text|detail|body)[_-]*(?:body|content|text|copy|contents|txt)s?
  articlebody articlecontent articletext postcontent postbody entrycontent storybody storycontent bodytext bodycopy
  body[_-]*(?:text|copy|content) rich-?text richtext wysiwyg prose mw-parser-output markdown-body
  e-content post-entry article-?(?:main|inner|wrapper|container) story-?(?:main|inner|wrapper)
  artikel-?(?:text|inhalt|body) texte cuerpo contenido-?nota
`);
const MAYBE_BODY_NAMES = words(
  'articles? artikel content contenu (?<![_-])contents contenido inhalt nota main story post posts entry text body single hentry blog page-content primary',
);

const NOISE_NAMES = words(`
  nav navi navbar navigation topnav subnav mainnav menu menus submenu megamenu breadcrumbs? crumbs? pathway
  side-?bars? aside rail right-?rail left-?rail secondary complementary sidebox
  footer footers? foot site-?footer page-?footer colophon copyright masthead
  shar(?:e|es|ing|ed|er|ebar|ethis) share-?(?:bar|buttons?|tools?|links?|this) sharedaddy addthis addtoany social socials
  social-?\\w+ socialmedia follow follow-?us facebook twitter whatsapp pinterest linkedin likes? jp-relatedposts
  related relateds? relatedposts related-?\\w+ recommend(?:ed|ations?|s)? recirc(?:ulation)? similar more-?(?:from|on|stories|news|articles|posts|like)
  read-?(?:more|next|also) see-?also also-?(?:read|like) you-?may(?:-\\w+)? up-?next next-?(?:up|post|article) prev(?:ious)?-?(?:post|next|article)?
  most-?(?:read|popular|viewed|recent|shared|commented) popular trending top-?stories breaking-?news latest headlines
  ads? advert advertis(?:ement|ements|ing|er) adverts? adbox ad-?(?:slot|unit|container|wrapper|banner|block|space|label|placement) dfp gpt adsense
  sponsor sponsors sponsored sponsorship promo promos promotion promotions promobox outbrain taboola revcontent zergnet ligatus plista
  newsletters? newsletter-?\\w+ subscribe subscription subscriptions signup sign-?up optin opt-in mailchimp mc4wp mailing
  popups? pop-?up modal modals overlay lightbox dialog tooltip toast
  login signin log-?in register registration search search-?\\w+ searchbox toolbars? tools toolbox utility utilities
  pagination pager paging page-?numbers? post-?navigation nav-?links wp-pagenavi
  tags tag-?(?:list|cloud|links|s) tagcloud post-?tags entry-?tags topics keywords categories category-?list cat-?links tags-?links
  widgets widget-?area carousel slider slideshow gallery-?thumbs ticker
  rating ratings stars vote votes voting poll polls quiz
  skip skip-?link skip-?links screen-?reader-?(?:text|only) sr-only visually-?hidden visuallyhidden assistive-?text print-?only noprint no-print
  edit-?(?:link|section) mw-editsection editsection noprint navbox catlinks printfooter toc table-of-contents
  disclaimer disclosure legal banner banners callout cta call-?to-?action donate donation abo
  jump-?to jumplinks buttons? btn btns
`);
const FRAME_NAMES = words(`
  nav navi navbar navigation topnav subnav mainnav global-?nav nav-?(?:header|footer|path|list|links|buttons?|wrapper|content|toggle|row|tabs)
  menus? submenu megamenu menubar mainmenu breadcrumbs? crumbs? pathway side-?bars?(?:-\\w+)? (?:left|right)-?rail
  footer footers? site-?footer page-?footer print-?footer colophon masthead site-?header top-?bar
  tagline slogan logo brand site-?(?:name|title|description|logo) project-?(?:name|brief|logo)
  pagination pager paging page-?numbers? post-?navigation prev-?next wp-pagenavi
  skip skip-?links? skip-?nav sr-only visually-?hidden visuallyhidden screen-?reader-?text noprint no-print
  edit-?(?:link|section) mw-editsection mw-jump-link navbox catlinks search-?(?:box|form|bar|menu) searchbox login signin
`);
const POST_NAMES = words(`
  hentry h-entry single-post entry-content post-(?:content|body|entry) article-?(?:body|content|text) story-?(?:body|content) blog-?post
`);
const CONTENTS_NAMES = words(
  'toc tocs? table-of-contents page-?toc local-?toc fancy-?toc toc-?(?:list|wrapper|container)',
);
const DISCUSSION_NAMES = words(`
  comments? comment-?\\w+ commentlist commentarea commentaires? kommentare? disqus disqus-?\\w+ fb-comments discussion discuss respond replies
  reply comments-?\\w+ livefyre trackbacks? pingbacks? reader-?comments user-?comments feedback forum forum-?teaser leserbriefe?
`);
const ABOUT_NAMES = words(`
  by-?line bylines? authors? author-?\\w+ about-?(?:the-)?author post-?author article-?author entry-?author writers? contributors? biography bio
  author-?bio-?\\w* date dates post-?date article-?date entry-?date pub-?date publish(?:ed)?-?(?:date|on)? published dateline timestamp time-?stamp updated
  posted posted-?on posted-?in post-?meta entry-?meta article-?meta post-?info article-?info post-?details meta-?data metadata meta-?info
  caption captions wp-caption-text image-?caption photo-?caption img-?caption media-?caption picture-?caption figure-?caption
  photo-?credits? image-?credits? img-?credits? picture-?credits? reading-?time read-?time kicker
`);

const LEAD_NAMES = words(`
  lead leads? lede standfirst intro introduction intro-?text chapo chapeau perex bajada entradilla copete sumario vorspann anleser
  teaser-?text article-?(?:intro|lead|teaser|summary|excerpt) entry-?summary excerpt abstract summary preamble ingress sapo
`);
const SUBTITLE_NAMES = words('sub-?(?:title|heading|headline|head|hed|line) dek deck tagline strapline kicker');
const CONSENT_NAMES = words(
  'cookies? cookie-?\\w+ consent consent-?\\w+ gdpr dsgvo privacy-?\\w+ cc-window cmp cmp-?\\w+ onetrust-?\\w+ eu-cookie-\\w+ cookiebot',
);
const TEASER_NAMES = words('teasers? teaser-?\\w+ \\w+-?teasers? abstract-?list');

/** Words that speak against a body. */
export const OTHER_WORDS: readonly (readonly [hint: number, words: RegExp])[] = [
  [NOISE, NOISE_NAMES],
  [DISCUSSION, DISCUSSION_NAMES],
  [ABOUT, ABOUT_NAMES],
  [TEASER, TEASER_NAMES],
  [CONSENT, CONSENT_NAMES],
];

/** Words that may stand in a name beside all others. */
export const PART_WORDS: readonly (readonly [hint: number, words: RegExp, telling: RegExp])[] = [
  [
    FRAME,
    FRAME_NAMES,
    /nav|menu|crumb|pathway|side|rail|foot|colophon|mast|site|top|tagline|slogan|logo|brand|project|pag|skip|sr-|hidden|reader|print|edit|jump|catl|search|log|sign|prev/,
  ],
  [POST, POST_NAMES, /hentry|h-entry|entry-|post|article|story/],
  [CONTENTS, CONTENTS_NAMES, /toc|contents/],
  [
    LEAD,
    LEAD_NAMES,
    /lead|lede|stand|intro|chap|perex|baja|entradilla|copete|sumario|vorspann|anleser|teaser|article|summary|excerpt|abstract|preamble|ingress|sapo/,
  ],
  [SUBTITLE, SUBTITLE_NAMES, /sub|de[ck]|line|kicker/],
];

/** Words of a body, the plainest first. */
export const BODY_WORDS: readonly (readonly [hint: number, words: RegExp])[] = [
  [BODY | MAYBE_BODY, BODY_NAMES],
  [MAYBE_BODY, MAYBE_BODY_NAMES],
];
