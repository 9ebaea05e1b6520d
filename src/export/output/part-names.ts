/** Beside an export that is not whole: its data, how far it counts, and who writes it. */
export interface PartNames {
  readonly data: string;
  readonly state: string;
  readonly lock: string;
}

export function partNames(path: string): PartNames {
  return { data: `${path}.part`, state: `${path}.part.json`, lock: `${path}.part.lock` };
}
