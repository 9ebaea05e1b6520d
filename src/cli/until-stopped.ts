/**
 * Resolves with Ctrl-C, or where the system asks the process to end. It hears signals from this call on: a server asks before it says
 * where it is, as whoever reads that may end it in the same instant.
 */
export function untilStopped(): Promise<void> {
  return new Promise((end) => {
    process.once('SIGINT', () => end());
    process.once('SIGTERM', () => end());
  });
}
