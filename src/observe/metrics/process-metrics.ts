import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type MeasuredThread, ownThreadUse } from '../../base/thread-use.ts';
import type { MetricFamily, MetricSource } from './metric.ts';

const RESOLUTION_MS = 20;

/** Of the process and its main thread. */
export class ProcessMetrics implements MetricSource, Disposable {
  readonly #version: string;
  readonly #delays: ReturnType<typeof monitorEventLoopDelay>;

  constructor(version: string) {
    this.#version = version;
    this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.#delays.enable();
  }

  families(): MetricFamily[] {
    const { user, system } = process.cpuUsage();
    const started = performance.timeOrigin / 1000;
    return [
      { name: 'orbweaver_build_info', samples: [{ labels: { version: this.#version }, value: 1 }] },
      { name: 'process_cpu_seconds_total', samples: [{ value: (user + system) / 1e6 }] },
      { name: 'process_resident_memory_bytes', samples: [{ value: process.memoryUsage.rss() }] },
      { name: 'process_start_time_seconds', samples: [{ value: started }] },
      { name: 'process_open_fds', samples: openFiles() },
      { name: 'orbweaver_event_loop_delay_seconds', samples: this.#takeDelays() },
      ...threadFamilies([ownThreadUse('main')]),
    ];
  }

  [Symbol.dispose](): void {
    this.#delays.disable();
  }

  /** What is beyond the turns of the timer that measures it. */
  #takeDelays() {
    const { mean, max } = this.#delays;
    const seconds = (ns: number): number => Math.max(0, (Number.isFinite(ns) ? ns : 0) / 1e9 - RESOLUTION_MS / 1000);
    const samples = [
      { labels: { stat: 'mean' }, value: seconds(mean) },
      { labels: { stat: 'p99' }, value: seconds(this.#delays.percentile(99)) },
      { labels: { stat: 'max' }, value: seconds(max) },
    ];
    this.#delays.reset();
    return samples;
  }
}

export function threadFamilies(threads: readonly MeasuredThread[]): MetricFamily[] {
  return [
    {
      name: 'orbweaver_thread_cpu_seconds_total',
      samples: threads.flatMap(({ thread, userSeconds, systemSeconds }) => [
        { labels: { thread, mode: 'user' }, value: userSeconds },
        { labels: { thread, mode: 'system' }, value: systemSeconds },
      ]),
    },
    {
      name: 'orbweaver_thread_heap_bytes',
      samples: threads.map(({ thread, heapBytes }) => ({ labels: { thread }, value: heapBytes })),
    },
    {
      name: 'orbweaver_thread_busy_ratio',
      samples: threads.map(({ thread, busyShare }) => ({ labels: { thread }, value: busyShare })),
    },
  ];
}

function openFiles() {
  try {
    // The listing itself is one of them.
    return [{ value: readdirSync('/proc/self/fd').length - 1 }];
  } catch {
    return [];
  }
}
