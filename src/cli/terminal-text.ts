/** Characters that steer a terminal. */
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that turn the direction of what stands beside them. */
const TURNING = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Words of strangers on one line of a terminal: whatever they hold, they only show. */
export function terminalText(text: string): string {
  return text.replace(STEERING, ' ').replace(TURNING, '').toWellFormed();
}
