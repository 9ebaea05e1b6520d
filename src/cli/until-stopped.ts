/** Resolves with Ctrl-C, or where the system asks the process to end. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((end) => {
    process.once('SIGINT', () => end());
    process.once('SIGTERM', () => end());
  });
}
