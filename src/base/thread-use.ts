import type { Worker } from 'node:worker_threads';

/** What a thread has used since it began. */
export interface MeasuredThread {
  readonly thread: string;
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly heapBytes: number;
  /** Share of the time in which its event loop was busy. */
  readonly busyShare: number;
}

/** Asks a thread what it has used; undefined where it has ended. */
export async function threadUse(worker: Worker, thread: string): Promise<MeasuredThread | undefined> {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    return {
      thread,
      userSeconds: cpu.user / 1e6,
      systemSeconds: cpu.system / 1e6,
      heapBytes: heap.used_heap_size,
      busyShare: worker.performance.eventLoopUtilization().utilization,
    };
  } catch {
    return undefined;
  }
}

/** The same of the calling thread. */
export function ownThreadUse(thread: string): MeasuredThread {
  const cpu = process.threadCpuUsage();
  return {
    thread,
    userSeconds: cpu.user / 1e6,
    systemSeconds: cpu.system / 1e6,
    heapBytes: process.memoryUsage().heapUsed,
    busyShare: performance.eventLoopUtilization().utilization,
  };
}
