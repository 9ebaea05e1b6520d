import type { TrapPlace } from './trap-names.ts';
import type { TrapRequest } from './trap-words.ts';

export interface PlacedRequest extends TrapRequest, TrapPlace {}

export type TrapAnswer =
  | { readonly title: string; readonly links: readonly string[]; readonly text: string }
  | { readonly location: string };

/** One kind of trap that lies below a path. */
export interface TrapWriter {
  /** The address that pages of the host link to. */
  entry(place: TrapPlace): string;
  write(request: PlacedRequest): TrapAnswer;
}
