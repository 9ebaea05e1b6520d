/**
 * Settlements of a node wait so long for others: a transaction of several pages costs little more than that of one. What was not settled when a node
 * is killed is fetched again. Told to the model of clusters, too.
 */
export const GATHER_MS = 2000;
