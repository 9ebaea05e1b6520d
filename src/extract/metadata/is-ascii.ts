/** Up to so many characters a loop takes sooner than a call of the platform. */
const SHORT = 64;

export function isAscii(text: string): boolean {
  if (text.length <= SHORT) {
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
    return true;
  }
  return Buffer.byteLength(text) === text.length;
}
