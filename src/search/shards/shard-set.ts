import type { IndexSnapshot } from '../../contracts/search-index.ts';
import type { ShardState } from '../../index/shard-index.ts';
import type { CommittedIndex } from '../snapshot-leases.ts';
import type { TextCopy, TextSource } from '../text-source.ts';
import type { Received } from './exchange-thread.ts';
import { readShardAnswer, readShardState } from './read-shard-answer.ts';
import type { ShardExchange } from './shard-exchange.ts';
import { SHARD_PROTOCOL, type ShardAnswers, type ShardQuestion, type ShardReply } from './shard-protocol.ts';
import type { ShardService } from './shard-service.ts';
import { BadShardMessage } from './shard-values.ts';
import { type AskShards, ShardedSnapshot } from './sharded-snapshot.ts';
import { ShardsChanged } from './shards-changed.ts';

/** A shard that other machines serve. */
export interface RemoteShard {
  /** Name of the node. */
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
}

export interface ShardSetParts {
  /** Of folders on this machine. */
  readonly local: readonly ShardService[];
  readonly remote: readonly RemoteShard[];
  readonly exchange: ShardExchange;
  /** ms, from any beginning. */
  readonly now: () => number;
}

interface Member {
  readonly service?: ShardService;
  readonly remote?: RemoteShard;
  state?: ShardState;
  /** Why it is left out. */
  fault?: string;
  /** Its state was asked for, without waiting. */
  asked?: number;
  /** So often since the last quiet look it no longer had the state that it was asked about. */
  moves?: number;
}

/** What was committed since is seen within this time. */
const STATE_MS = 1000;
/** A shard that did not answer is asked again after this. */
const RETRY_MS = 2000;
const MOST_HOMES = 20_000;
/** A shard whose states go faster than a search asks would keep it from its end. */
const MOST_MOVES = 8;
/** Of what another machine says of itself. */
const LONGEST_FAULT = 200;

/**
 * The shards of a crawl, on this machine and on others, as one index. Those that do not answer are left out, and told of; the statistics are
 * those of the others then.
 */
export class ShardSet implements CommittedIndex, TextSource {
  readonly #parts: ShardSetParts;
  readonly #members: readonly Member[];
  /** Which shard has a document that was shown. */
  readonly #homes = new Map<string, Member>();
  #generation = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #retriedAt: number;

  constructor(parts: ShardSetParts) {
    this.#parts = parts;
    this.#retriedAt = parts.now();
    this.#members = [...parts.local.map((service) => ({ service })), ...parts.remote.map((remote) => ({ remote }))];
  }

  /** Shards that the last search went without, in words. */
  get leftOut(): readonly string[] {
    return this.#members.flatMap(({ remote, fault }) =>
      remote === undefined || fault === undefined
        ? []
        : [`Not searched: the node ${remote.name} at ${remote.address}: ${shortened(fault)}.`],
    );
  }

  version(): number {
    const now = this.#parts.now();
    this.#takeLate();
    if (now - this.#lookedAt >= STATE_MS) {
      if (this.#lookedAt !== Number.NEGATIVE_INFINITY) for (const member of this.#members) delete member.moves;
      this.#lookedAt = now;
      const isFirst = this.#generation === 0;
      this.#look(this.#members.filter(({ fault }) => isFirst || fault === undefined));
      if (isFirst) this.#generation++;
    }
    if (now - this.#retriedAt >= RETRY_MS) {
      this.#retriedAt = now;
      for (const member of this.#members)
        if (member.fault !== undefined && member.remote !== undefined && member.asked === undefined)
          member.asked = this.#parts.exchange.send([{ address: member.remote.address, body: stateBody() }]);
    }
    return this.#generation;
  }

  snapshot(): IndexSnapshot {
    const members = this.#members.filter(({ state, fault }) => state !== undefined && fault === undefined);
    const states = members.map(({ state }) => state as ShardState);
    const ask = ((questions) => this.#ask(questions, members, states)) as AskShards;
    const snapshot = new ShardedSnapshot(states, ask);
    const document = snapshot.document.bind(snapshot);
    snapshot.document = (number) => {
      const stored = document(number);
      if (this.#homes.size > MOST_HOMES) this.#homes.clear();
      this.#homes.set(stored.id, members[snapshot.shardOf(number)]);
      return stored;
    };
    return snapshot;
  }

  async texts(copies: readonly TextCopy[]): Promise<readonly (string | undefined)[]> {
    const groups = Map.groupBy(copies, ({ id }) => this.#homes.get(id));
    const texts = new Map<TextCopy, string | undefined>();
    const remote = [...groups].filter(([member]) => member?.remote !== undefined && member.fault === undefined);
    const sent = this.#send(remote.map(([member, own]) => [member as Member, { kind: 'texts', copies: own }]));
    for (const [member, own] of groups) {
      const found = await member?.service?.texts({ kind: 'texts', copies: own });
      for (const [at, copy] of own.entries()) texts.set(copy, found?.[at] ?? undefined);
    }
    // A shard that has gone meanwhile costs its passages, not the answer.
    const replies = sent === undefined ? [] : (this.#parts.exchange.wait(sent) ?? []);
    for (const [at, [, own]] of remote.entries()) {
      const found = answerOf<'texts'>({ kind: 'texts', copies: own }, replyOf(replies[at]), 0);
      for (const [place, copy] of own.entries()) texts.set(copy, found?.[place] ?? undefined);
    }
    return copies.map((copy) => texts.get(copy));
  }

  async description(id: string, fetchedAt?: number): Promise<string | undefined> {
    const copy = { id, ...(fetchedAt === undefined ? {} : { fetchedAt }) };
    const member = this.#homes.get(id);
    const question = { kind: 'description', copy } as const;
    if (member?.service !== undefined) return (await member.service.description(question)) ?? undefined;
    if (member === undefined || member.fault !== undefined) return undefined;
    const sent = this.#send([[member, question]]);
    const reply = sent === undefined ? undefined : replyOf(this.#parts.exchange.wait(sent)?.[0]);
    return answerOf<'description'>(question, reply, 0) ?? undefined;
  }

  /** Local shards work while those of others do. */
  #ask(
    questions: ReadonlyMap<number, ShardQuestion>,
    members: readonly Member[],
    states: readonly ShardState[],
  ): ReadonlyMap<number, unknown> {
    const remote = [...questions].filter(([at]) => members[at].remote !== undefined);
    const sent = this.#send(remote.map(([at, question]) => [members[at], question, states[at].version]));
    const answers = new Map<number, unknown>();
    for (const [at, question] of questions) {
      const answer = members[at].service?.answer(states[at].version, question as never);
      answers.set(at, answer);
    }
    // Whatever was asked is waited for, or its replies would lie there for ever.
    const replies = sent === undefined ? [] : (this.#parts.exchange.wait(sent) ?? []);
    for (const [at] of questions)
      if (members[at].service !== undefined && answers.get(at) === undefined) this.#moved(members[at]);
    for (const [place, [at, question]] of remote.entries()) {
      const reply = this.#read(members[at], replies[place]);
      if (reply?.kind === 'moved') this.#moved(members[at]);
      const answer = answerOf(question, reply, states[at].numbers);
      if (answer === undefined) {
        leaveOut(members[at], members[at].fault ?? ODD);
        this.#changed();
      }
      answers.set(at, answer);
    }
    return answers;
  }

  #send(questions: readonly (readonly [Member, ShardQuestion, string?])[]): number | undefined {
    if (questions.length === 0) return undefined;
    return this.#parts.exchange.send(
      questions.map(([{ remote }, question, version]) => ({
        address: remote?.address ?? '',
        body: JSON.stringify({ protocol: SHARD_PROTOCOL, question, ...(version === undefined ? {} : { version }) }),
      })),
    );
  }

  /** Its newest state is asked for before the search begins again. */
  #moved(member: Member): never {
    member.moves = (member.moves ?? 0) + 1;
    if (member.remote !== undefined && member.moves > MOST_MOVES) {
      leaveOut(member, 'its index changes faster than it can be searched');
      this.#changed();
    }
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    throw new ShardsChanged();
  }

  #changed(): never {
    this.#generation++;
    throw new ShardsChanged();
  }

  #look(members: readonly Member[]): void {
    const remote = members.filter((member) => member.remote !== undefined);
    const { exchange } = this.#parts;
    const requests = remote.map((member) => ({ address: member.remote?.address ?? '', body: stateBody() }));
    const sent = requests.length === 0 ? undefined : exchange.send(requests);
    for (const member of members) if (member.service !== undefined) this.#take(member, member.service.state());
    const replies = sent === undefined ? [] : (exchange.wait(sent) ?? []);
    for (const [at, member] of remote.entries()) this.#takeState(member, replies[at]);
  }

  /** Shards that were left out, and have answered since. */
  #takeLate(): void {
    for (const member of this.#members) {
      if (member.asked === undefined) continue;
      const [reply] = this.#parts.exchange.poll(member.asked) ?? [];
      if (reply === undefined) continue;
      delete member.asked;
      this.#takeState(member, reply);
    }
  }

  #takeState(member: Member, received: Received | undefined): void {
    const reply = this.#read(member, received);
    const state = checked(() => (reply?.kind === 'state' ? readShardState(reply.state) : undefined));
    if (state !== undefined) this.#take(member, state);
    else {
      leaveOut(member, member.fault ?? ODD);
      this.#generation++;
    }
  }

  #take(member: Member, state: ShardState): void {
    if (member.state?.version === state.version && member.fault === undefined) return;
    delete member.fault;
    member.state = state;
    this.#generation++;
  }

  /** Notes why a shard is left out; undefined then. */
  #read(member: Member, received: Received | undefined): ShardReply | undefined {
    const reply = replyOf(received);
    const fault = faultOf(member, received, reply);
    if (fault === undefined) return reply;
    leaveOut(member, fault);
    return undefined;
  }
}

const ODD = 'it answers as no node of this version does';

function leaveOut(member: Member, fault: string): void {
  member.fault = fault;
  delete member.state;
}

/** Undefined where there is none, or one that no node gives. */
function answerOf<Kind extends ShardQuestion['kind']>(
  question: ShardQuestion,
  reply: ShardReply | undefined,
  numbers: number,
): ShardAnswers[Kind] | undefined {
  if (reply?.kind !== 'answer') return undefined;
  return checked(() => readShardAnswer(question, reply.answer, numbers) as ShardAnswers[Kind]);
}

function checked<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadShardMessage) return undefined;
    throw error;
  }
}

/** What another machine says is for people to read, and nothing else. */
function shortened(fault: string): string {
  const plain = fault.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  return plain.length > LONGEST_FAULT ? `${plain.slice(0, LONGEST_FAULT)}…` : plain;
}

function stateBody(): string {
  return JSON.stringify({ protocol: SHARD_PROTOCOL });
}

function faultOf(
  { remote }: Member,
  received: Received | undefined,
  reply: ShardReply | undefined,
): string | undefined {
  if (received === undefined) return 'it was not asked in time';
  if ('fault' in received) return received.fault;
  if (reply === undefined || !('kind' in reply)) return `it answers as no node does (status ${received.status})`;
  if (reply.kind === 'refused' && reply.protocol !== SHARD_PROTOCOL)
    return `it has another version of Orbweaver, whose scores are others (it speaks ${reply.protocol}, this one ${SHARD_PROTOCOL})`;
  if (received.status === 401) return 'it has another ORBWEAVER_SEARCH_TOKEN';
  if (reply.kind === 'refused') return `it has refused: ${reply.why}`;
  if (reply.kind === 'state' && reply.node !== remote?.name) return `the node ${reply.node} answers there`;
  return undefined;
}

function replyOf(received: Received | undefined): ShardReply | undefined {
  if (received === undefined || 'fault' in received) return undefined;
  try {
    const reply = JSON.parse(received.body) as ShardReply | null;
    return typeof reply === 'object' && reply !== null ? reply : undefined;
  } catch {
    return undefined;
  }
}
