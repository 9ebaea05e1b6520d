/** When the state was last written, by the clock and by the time since the machine was started. */
export interface SavedClock {
  readonly at: number;
  readonly uptime?: number;
}

/** By how much recorded times are moved at a restart: rests after requests, and holds. */
export interface ClockShift {
  readonly rests: number;
  readonly holds: number;
}

/**
 * What the system clock says of the time between two runs is checked, for it may have been set meanwhile.
 *
 * - Set back: as far as is known no time has passed. What was owed when the state was written is owed from now on.
 * - Ahead: at least as much time has passed as the machine was up. What the clock says beyond that did not surely pass, and
 *   a rest is not cut short on that word. Nor is a hold, but after a restart of the machine: then the time it was off cannot
 *   be known otherwise, and a hold may be as long as that.
 */
export function clockShift(saved: SavedClock, now: number, uptime?: number): ClockShift {
  const passed = now - saved.at;
  if (passed < 0) return { rests: passed, holds: passed };
  if (saved.uptime === undefined || uptime === undefined) return { rests: 0, holds: 0 };
  const machineRestarted = uptime < saved.uptime;
  const surely = machineRestarted ? uptime : uptime - saved.uptime;
  const doubtful = Math.max(0, passed - surely);
  return { rests: doubtful, holds: machineRestarted ? 0 : doubtful };
}
