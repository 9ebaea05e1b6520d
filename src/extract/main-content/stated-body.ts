const DEEPEST = 12;
const SHORTEST = 200;

/** The values of `articleBody` in a block of JSON-LD. What is no JSON states nothing. */
export function statedBodiesOf(json: string): string[] {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return [];
  }
  const bodies: string[] = [];
  gather(data, DEEPEST, bodies);
  return bodies;
}

function gather(value: unknown, depth: number, bodies: string[]): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  if (Array.isArray(value)) {
    for (const item of value) gather(item, depth - 1, bodies);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    if (key === 'articleBody' && typeof item === 'string') {
      if (item.length >= SHORTEST) bodies.push(item);
    } else gather(item, depth - 1, bodies);
  }
}
