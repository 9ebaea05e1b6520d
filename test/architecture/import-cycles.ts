/** The shortest way round through each knot of files that import each other, written `a -> b -> a`. */
export function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const told = new Set<string>();
  for (const start of graph.keys()) {
    if (told.has(start)) continue;
    const cycle = shortestCycle(graph, start);
    if (cycle === undefined) continue;
    for (const file of cycle) told.add(file);
    cycles.push([...cycle, start].join(' -> '));
  }
  return cycles;
}

/** Breadth first from `start` until it is met again. */
function shortestCycle(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of graph.get(file) ?? []) {
      if (target === start) return pathTo(file, cameFrom);
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      queue.push(target);
    }
  }
  return undefined;
}

function pathTo(file: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [file];
  for (let at = cameFrom.get(file); at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}
