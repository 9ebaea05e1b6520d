/** The element says that it is the body of an article. */
export const BODY = 1;
/** It may hold the body. */
export const MAYBE_BODY = 2;
/** It says that it is something else: navigation, advertising, comments. */
export const NOISE = 4;
/** Nobody sees it. */
export const HIDDEN = 8;
/** Comments and discussions: noise on an article, the content of a forum. */
export const DISCUSSION = 16;
/** Says who wrote it and when, or what a picture shows. */
export const ABOUT = 32;
/** A lead, or what leads to another page. */
export const TEASER = 64;
/** The lead of an article, by its name. */
export const LEAD = 128;
/** A subtitle, by its name. */
export const SUBTITLE = 256;
/** Notices about privacy and cookies, however long. */
export const CONSENT = 512;
/** The frame of a site around its pages: menus, paths, footers, pagers, whatever they hold. */
export const FRAME = 1024;
/** By `<main>` or its role. */
export const MAIN_CONTENT = 2048;
/** The post of a blog or the article of a magazine, by names that nothing else has. */
export const POST = 4096;
/** A table of contents. */
export const CONTENTS = 8192;
/** Hints that the id alone gives are here once more, moved by this many bits: headings give ids to their sections. */
export const BY_ID = 16;
