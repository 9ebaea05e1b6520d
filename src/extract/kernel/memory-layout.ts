/** Longest document, in bytes; longer ones are read without the kernel. */
export const MOST_BYTES = 256 * 1024;
/** Loops over 16 bytes go so far beyond the last one. */
export const OVERRUN = 16;

/** What `collapse` tells besides its result: where it stopped, whether it ended with white space, all bytes put together by OR. */
export const STATE = 0;
export const STATE_VALUES = 3;
/** Tables of `skipTags`. */
export const CLASSES = 64;
export const WANTED = CLASSES + 0x100;
export const DOCUMENT = WANTED + 0x8000;
export const OUTPUT = DOCUMENT + MOST_BYTES + OVERRUN;
export const MEMORY_PAGES = Math.ceil((OUTPUT + MOST_BYTES + OVERRUN) / 65_536);
