import { compileRegex, type Instruction } from './regex-program.ts';
import { parseRegex } from './regex-syntax.ts';

/** A set of states of the automaton that it can be in at once. */
interface StateSet {
  /** States that read a character or wait for the end, in order. */
  readonly members: readonly number[];
  readonly matched: boolean;
  /** Successor by ASCII character, as far as known. */
  readonly successors: (StateSet | undefined)[];
  matchesAtEnd: boolean | undefined;
}

const ASCII = 128;
const MAX_KNOWN_SETS = 256;

/**
 * Tells whether an expression matches anywhere in a text, in time linear in the text, whatever the expression: all ways
 * to match are followed at once, never one after the other. Sets of states that were met are remembered, so that ordinary
 * URLs cost one table look-up a character; the memory is bounded by forgetting all of them when they become too many.
 */
export class LinearRegex {
  readonly #instructions: readonly Instruction[];
  readonly #entry: number;
  readonly #known = new Map<string, StateSet>();
  readonly #initial: StateSet;
  /** Where a match could still begin further on. Empty for expressions that are tied to the start. */
  readonly #restart: readonly number[];

  constructor(source: string) {
    const { instructions, entry } = compileRegex(parseRegex(source));
    this.#instructions = instructions;
    this.#entry = entry;
    this.#restart = this.#reachable([entry], false, false);
    this.#initial = newSet(this.#reachable([entry], true, false));
  }

  test(text: string): boolean {
    if (text.length === 0) return this.#reachable([this.#entry], true, true).includes(0);
    let set = this.#initial;
    for (let at = 0; at < text.length; at++) {
      if (set.matched) return true;
      if (set.members.length === 0 && this.#restart.length === 0) return false;
      const code = text.charCodeAt(at);
      set = (code < ASCII ? set.successors[code] : undefined) ?? this.#successor(set, code);
    }
    if (set.matched) return true;
    set.matchesAtEnd ??= this.#reachable(set.members, false, true).includes(0);
    return set.matchesAtEnd;
  }

  #successor(set: StateSet, code: number): StateSet {
    const entered: number[] = [];
    for (const member of set.members) {
      const instruction = this.#instructions[member];
      if (instruction.kind === 'read' && instruction.set.has(code)) entered.push(instruction.next);
    }
    const members = this.#reachable(entered, false, false);
    for (const member of this.#restart) if (!members.includes(member)) members.push(member);
    members.sort((a, b) => a - b);

    const key = members.join();
    let successor = this.#known.get(key);
    if (successor === undefined) {
      if (this.#known.size >= MAX_KNOWN_SETS) this.#forget();
      successor = newSet(members);
      this.#known.set(key, successor);
    }
    if (code < ASCII) set.successors[code] = successor;
    return successor;
  }

  /** Everything that can be reached without reading: states that read or wait for the end, and 0 for a match. */
  #reachable(from: readonly number[], atStart: boolean, atEnd: boolean): number[] {
    const visited = new Set<number>();
    const stack = [...from];
    const members: number[] = [];
    for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
      if (visited.has(state)) continue;
      visited.add(state);
      const instruction = this.#instructions[state];
      if (instruction.kind === 'fork') stack.push(instruction.other, instruction.next);
      else if (instruction.kind === 'start') {
        if (atStart) stack.push(instruction.next);
      } else {
        members.push(state);
        if (instruction.kind === 'end' && atEnd) stack.push(instruction.next);
      }
    }
    return members;
  }

  /** Links between the forgotten sets are cut too: one that is still in use must not keep all others alive. */
  #forget(): void {
    for (const set of this.#known.values()) set.successors.fill(undefined);
    this.#initial.successors.fill(undefined);
    this.#known.clear();
  }
}

function newSet(members: readonly number[]): StateSet {
  return {
    members,
    matched: members.includes(0),
    successors: new Array(ASCII).fill(undefined),
    matchesAtEnd: undefined,
  };
}
