import type { PageRole } from './page-plan.ts';

/** What a page tells robots, and in which words. */
export interface PageDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** A META element, or ''. */
  readonly meta: string;
  /** The value of X-Robots-Tag, or ''. */
  readonly header: string;
}

/** The robot that some directives speak to, and no others. */
export const OTHER_BOT = 'otherbot';
const NONE: PageDirectives = { noindex: false, nofollow: false, meta: '', header: '' };

/** `flip` chooses between two ways of saying it. */
export function pageDirectives(role: PageRole, flip: boolean): PageDirectives {
  switch (role) {
    case 'metaNoindex':
      return {
        ...NONE,
        noindex: true,
        meta: flip ? '<meta name="robots" content="noindex">\n' : '<META CONTENT="NOINDEX, FOLLOW" NAME=ROBOTS>\n',
      };
    case 'metaNofollow':
      return {
        ...NONE,
        noindex: !flip,
        nofollow: true,
        meta: `<meta name="robots" content="${flip ? 'index,nofollow' : 'none'}" />\n`,
      };
    case 'headerNoindex':
      return { ...NONE, noindex: true, header: 'noindex' };
    case 'headerNofollow':
      return { ...NONE, nofollow: true, header: 'nofollow' };
    case 'directiveForOthers':
      return {
        noindex: true,
        nofollow: true,
        meta: flip ? `<meta name="${OTHER_BOT}" content="noindex, nofollow">\n` : '',
        header: flip ? '' : `${OTHER_BOT}: noindex, nofollow`,
      };
    default:
      return NONE;
  }
}
