import type { IndexSnapshot } from '../../contracts/search-index.ts';
import type { ShardState } from '../../index/shard-index.ts';
import type { CommittedIndex } from '../snapshot-leases.ts';
import type { TextCopy, TextSource } from '../text-source.ts';
import type { Received } from './exchange-thread.ts';
import type { ShardExchange } from './shard-exchange.ts';
import { SHARD_PROTOCOL, type ShardAnswers, type ShardQuestion, type ShardReply } from './shard-protocol.ts';
import type { ShardService } from './shard-service.ts';
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
}

/** What was committed since is seen within this time. */
const STATE_MS = 1000;
/** A shard that did not answer is asked again after this. */
const RETRY_MS = 2000;
const MOST_HOMES = 20_000;

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
        : [`Not searched: the node ${remote.name} at ${remote.address}: ${fault}.`],
    );
  }

  version(): number {
    const now = this.#parts.now();
    this.#takeLate();
    if (now - this.#lookedAt >= STATE_MS) {
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
      const reply = replyOf(replies[at]);
      const found = reply?.kind === 'answer' ? (reply.answer as ShardAnswers['texts']) : [];
      for (const [place, copy] of own.entries()) texts.set(copy, found[place] ?? undefined);
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
    return reply?.kind === 'answer' ? ((reply.answer as string | null) ?? undefined) : undefined;
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
      if (members[at].service !== undefined && answer === undefined) this.#moved(members[at]);
    }
    if (sent !== undefined) {
      const replies = this.#parts.exchange.wait(sent) ?? [];
      for (const [place, [at]] of remote.entries()) {
        const reply = this.#read(members[at], replies[place]);
        if (reply?.kind === 'moved') this.#moved(members[at]);
        else if (reply?.kind !== 'answer') this.#changed();
        else answers.set(at, reply.answer);
      }
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
  #moved(_member: Member): never {
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
    if (reply === undefined) this.#generation++;
    else if (reply.kind === 'state') this.#take(member, reply.state);
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
    member.fault = fault;
    delete member.state;
    return undefined;
  }
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
