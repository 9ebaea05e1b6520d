import type { CharacterSet } from './character-set.ts';
import { type RegexNode, RegexSyntaxError } from './regex-syntax.ts';

/** One state of Thompson's automaton. `next` is followed by reading a character of `set`, or for nothing where there is none. */
export type Instruction =
  | { readonly kind: 'read'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'fork'; next: number; readonly other: number }
  | { readonly kind: 'start'; readonly next: number }
  | { readonly kind: 'end'; readonly next: number }
  | { readonly kind: 'match' };

export interface RegexProgram {
  readonly instructions: readonly Instruction[];
  readonly entry: number;
}

/** Counts are unrolled, so that a short text can stand for a long program; the bound is what keeps the time linear. */
const MAX_STEPS = 10_000;

export function compileRegex(root: RegexNode): RegexProgram {
  const instructions: Instruction[] = [{ kind: 'match' }];
  let steps = 0;

  function emit(instruction: Instruction): number {
    return instructions.push(instruction) - 1;
  }

  /** The entry to a program for `node` that goes on at `next`. */
  function compile(node: RegexNode, next: number): number {
    if (++steps > MAX_STEPS) throw new RegexSyntaxError('its counts make it too large');
    switch (node.kind) {
      case 'set':
        return emit({ kind: 'read', set: node.set, next });
      case 'start':
      case 'end':
        return emit({ kind: node.kind, next });
      case 'sequence':
        return node.parts.reduceRight((follower, part) => compile(part, follower), next);
      case 'choice':
        return node.options
          .map((option) => compile(option, next))
          .reduceRight((other, option) => emit({ kind: 'fork', next: option, other }));
      case 'repeat':
        return repeat(node.body, node.min, node.max, next);
    }
  }

  function repeat(body: RegexNode, min: number, max: number, next: number): number {
    let entry = next;
    if (max === Number.POSITIVE_INFINITY) {
      const fork: Extract<Instruction, { kind: 'fork' }> = { kind: 'fork', next: -1, other: next };
      entry = emit(fork);
      fork.next = compile(body, entry);
    } else {
      for (let optional = min; optional < max; optional++) {
        entry = emit({ kind: 'fork', next: compile(body, entry), other: next });
      }
    }
    for (let required = 0; required < min; required++) entry = compile(body, entry);
    return entry;
  }

  const entry = compile(root, 0);
  return { instructions, entry };
}
