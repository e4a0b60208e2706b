import { instantOf } from '#lib/core/clock.ts';

/** A node of an approval graph, as it was stored when the draft was made. */
export type PinnedNode = {
  position: number;
  key: string;
  quorum: number;
  roles: readonly string[];
  users: readonly string[];
  /** Hours after which the open node rejects the draft; null if the node waits as long as the draft is valid. */
  timeout_hours?: number | null;
};

export type Progress = { position: number; quorum: number; met: number; pending: number };

/**
 * Returns the progress of each node, and the open node: the first node without a quorum, or undefined if all
 * nodes have their quorum.
 */
export function progressOf(
  nodes: readonly PinnedNode[],
  votes: readonly { node: number }[],
): { open: PinnedNode | undefined; progress: Progress[] } {
  const progress = nodes.map(({ position, quorum }) => {
    const met = Math.min(quorum, votes.filter(({ node }) => node === position).length);
    return { position, quorum, met, pending: quorum - met };
  });
  const open = nodes.find((_, index) => progress[index]!.pending > 0);
  return { open, progress };
}

/**
 * Returns the time at which the open node rejects the draft automatically. The node's timeout runs from the quorum of
 * the previous node; for the first node, from the draft. Returns undefined if the node has no timeout.
 */
export function nodeDeadline(
  nodes: readonly PinnedNode[],
  votes: readonly { node: number; at: Date }[],
  createdAt: Date,
): Date | undefined {
  const { open } = progressOf(nodes, votes);
  if (!open?.timeout_hours) return undefined;
  const earlier = votes.filter(({ node }) => node < open.position).map(({ at }) => at.getTime());
  return instantOf(Math.max(createdAt.getTime(), ...earlier) + open.timeout_hours * 3_600_000);
}

/**
 * Returns the right by which a person may vote at a node: one of the person's roles, or null if the node names the
 * person. Returns undefined if the person may not vote at the node.
 */
export function rightAt(
  node: PinnedNode,
  person: string,
  roles: readonly string[],
): { role: string | null } | undefined {
  if (node.users.includes(person)) return { role: null };
  const role = node.roles.find((each) => roles.includes(each));
  return role === undefined ? undefined : { role };
}

/** Returns the persons who may vote at a node now. */
export function eligibleAt(node: PinnedNode, members: ReadonlyMap<string, readonly string[]>): string[] {
  return [...new Set([...node.users, ...node.roles.flatMap((role) => members.get(role) ?? [])])].sort();
}

/** Returns the nodes, with inactive named persons removed. Members of roles are always active. */
export function withPresent(nodes: readonly PinnedNode[], active: ReadonlySet<string>): PinnedNode[] {
  return nodes.map((node) => ({ ...node, users: node.users.filter((user) => active.has(user)) }));
}

export type Reachability = { ok: boolean; max_flow: number; required: number };

/**
 * Checks whether different persons can cast all votes that a graph requires, if the persons in `excluded` may not vote.
 * Finds a maximum bipartite matching of persons and required votes by augmenting paths (Kuhn). A person can cast only
 * one vote per graph.
 */
export function reachability(
  nodes: readonly PinnedNode[],
  members: ReadonlyMap<string, readonly string[]>,
  excluded: ReadonlySet<string>,
): Reachability {
  const places = nodes.flatMap((node) => {
    const persons = eligibleAt(node, members).filter((person) => !excluded.has(person));
    return Array.from({ length: node.quorum }, () => persons);
  });
  const placeOf = new Map<string, number>();
  let flow = 0;
  for (let place = 0; place < places.length; place += 1) {
    if (augment(places, placeOf, place, new Set())) flow += 1;
  }
  return { ok: flow === places.length, max_flow: flow, required: places.length };
}

function augment(
  places: readonly (readonly string[])[],
  placeOf: Map<string, number>,
  place: number,
  tried: Set<string>,
): boolean {
  for (const person of places[place]!) {
    if (tried.has(person)) continue;
    tried.add(person);
    const taken = placeOf.get(person);
    if (taken === undefined || augment(places, placeOf, taken, tried)) {
      placeOf.set(person, place);
      return true;
    }
  }
  return false;
}
