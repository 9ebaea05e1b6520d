/** Characters that steer a terminal. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that turn the direction of what stands beside them. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The same but for line feeds, and tabs: text of many lines keeps its form. */
const STEERING_WITHIN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Words of strangers on one line of a terminal: whatever they hold, they only show. */
export function terminalText(text: string): string {
  return text.replace(STEERING, ' ').replace(TURNING, '').toWellFormed();
}

/** Text of several lines with what steers a terminal made visible: `\x1b` for an escape. */
export function terminalLines(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(STEERING_WITHIN, (sign) => (sign === '\n' || sign === '\t' ? sign : escaped(sign.charCodeAt(0))))
    .toWellFormed();
}

function escaped(code: number): string {
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
