/**
 * Begins to measure what this thread takes of the processor; the answer tells how many ms it was since. What something costs is told by
 * that: on a busy machine what is cheap may take long.
 */
export function measureProcessorTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
