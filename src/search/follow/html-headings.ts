import { byteTextOf } from '../../extract/byte-text.ts';
import { CollapsedText } from '../../extract/collapsed-text.ts';
import { BLOCK, RAW_TEXT } from '../../extract/element-traits.ts';
import { HtmlScanner } from '../../extract/html-scanner.ts';

/** Headings tell what a page is about; a page of nothing but headings tells no more than its first ones. */
const MOST_HEADINGS = 200;
const MOST_BYTES = 16_384;
const HEADING = /^h[1-3]$/;

/** The texts of h1 to h3, one per line. */
export function htmlHeadings(source: Uint8Array | string): string {
  const scanner = new HtmlScanner(byteTextOf(source));
  const text = new CollapsedText(1024);
  let headings = 0;
  for (;;) {
    switch (scanner.next()) {
      case 'start-tag':
        if (HEADING.test(scanner.name)) {
          if (++headings > MOST_HEADINGS || text.length > MOST_BYTES) return text.take();
          text.breakBlock();
          scanner.wantsText = true;
        } else if ((scanner.traits & RAW_TEXT) !== 0) scanner.readRawText(scanner.name);
        else if ((scanner.traits & BLOCK) !== 0) text.breakWord();
        break;
      case 'end-tag':
        if (HEADING.test(scanner.name)) scanner.wantsText = false;
        break;
      case 'text':
        text.add(scanner.html, scanner.textStart, scanner.textEnd, scanner.literal);
        break;
      default:
        return text.take();
    }
  }
}
