import type { HostId, HostTable } from './host-table.ts';

/** Mercator's heap of host times: which host may be asked next, and when. Each host once; of equals the older first. */
export class ReadyHeap {
  readonly #hosts: HostTable;
  #ids: Int32Array = new Int32Array(1024);
  #times: Float64Array = new Float64Array(1024);
  #size = 0;

  constructor(hosts: HostTable) {
    this.#hosts = hosts;
  }

  get size(): number {
    return this.#size;
  }

  /** Time of the first host, or Infinity. */
  get firstTime(): number {
    return this.#size === 0 ? Number.POSITIVE_INFINITY : this.#times[0];
  }

  /** Puts a host in, or moves it to another time. */
  put(host: HostId, time: number): void {
    let at = this.#hosts.heapIndex[host];
    if (at < 0) {
      if (this.#size === this.#ids.length) this.#grow();
      at = this.#size++;
      this.#times[at] = time;
      this.#ids[at] = host;
      this.#rise(at);
      return;
    }
    const before = this.#times[at];
    this.#times[at] = time;
    if (time < before) this.#rise(at);
    else this.#sink(at);
  }

  /** Takes out the first host when its time is not after `now`; -1 otherwise. */
  takeDue(now: number): HostId {
    if (this.#size === 0 || this.#times[0] > now) return -1;
    const host = this.#ids[0];
    this.remove(host);
    return host;
  }

  /** Some of the hosts whose time is not after another: near the top are those of the earliest. */
  dueBy(time: number, max: number): HostId[] {
    const hosts: HostId[] = [];
    const places = [0];
    for (let next = 0; next < places.length && hosts.length < max; next++) {
      const at = places[next];
      if (at >= this.#size || this.#times[at] > time) continue;
      hosts.push(this.#ids[at]);
      places.push(2 * at + 1, 2 * at + 2);
    }
    return hosts;
  }

  remove(host: HostId): void {
    const at = this.#hosts.heapIndex[host];
    if (at < 0) return;
    this.#hosts.heapIndex[host] = -1;
    const last = --this.#size;
    if (at === last) return;
    this.#set(at, this.#ids[last], this.#times[last]);
    this.#sink(at);
    this.#rise(at);
  }

  #before(id: HostId, time: number, at: number): boolean {
    return time < this.#times[at] || (time === this.#times[at] && id < this.#ids[at]);
  }

  #rise(at: number): void {
    const id = this.#ids[at];
    const time = this.#times[at];
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(id, time, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#set(at, id, time);
  }

  #sink(at: number): void {
    const id = this.#ids[at];
    const time = this.#times[at];
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(this.#ids[child + 1], this.#times[child + 1], child)) child++;
      if (this.#before(id, time, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#set(at, id, time);
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#ids[from], this.#times[from]);
  }

  #set(at: number, id: HostId, time: number): void {
    this.#ids[at] = id;
    this.#times[at] = time;
    this.#hosts.heapIndex[id] = at;
  }

  #grow(): void {
    const ids = new Int32Array(this.#ids.length * 2);
    const times = new Float64Array(this.#times.length * 2);
    ids.set(this.#ids);
    times.set(this.#times);
    this.#ids = ids;
    this.#times = times;
  }
}
