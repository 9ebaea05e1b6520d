/** A shard does not answer any more, or has gone on to another state: whoever was searching begins again, with those that are there. */
export class ShardsChanged extends Error {}
