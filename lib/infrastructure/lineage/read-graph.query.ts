import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { NODES_MAX, type Direction, type Graph, type NodeId } from './graph.ts';
import { downstream, upstream } from './links.query.ts';
import type { Reader } from './readable.ts';
import * as records from './records.query.ts';
import { visit } from './visit.query.ts';
import { addEdge, addGap, datasetKey, graphOf, type Key, type Walk } from './walk.query.ts';

export type GraphRequest = {
  uid: string;
  direction: Direction;
  depth: number;
  reader: Reader;
};

/** A graph, and its node of the requested record. */
export type FoundGraph = { graph: Graph; subject: NodeId };

/**
 * Reads the lineage of a record, breadth first, from the records that the reader may see with the reader's tenant and
 * scopes. One step leads from an entity to the activity that made or used it, and on to the entities on the other side
 * of that activity. Returns undefined if the record does not exist or the reader may not see it. The graph has at most
 * `NODES_MAX` nodes.
 */
export async function readGraph(em: Em, request: GraphRequest): Promise<FoundGraph | undefined> {
  const found = await readGraphInTime(em, request, () => false);
  if (found === 'late') throw new Error('a graph without a time limit is never late');
  return found;
}

/**
 * Works like `readGraph`, but asks before each step whether the time is over. Returns `late` if it is over and the
 * record exists.
 */
export async function readGraphInTime(
  em: Em,
  { uid, direction, depth, reader }: GraphRequest,
  isLate: () => boolean,
): Promise<FoundGraph | undefined | 'late'> {
  const walk: Walk = {
    em,
    reader,
    nodes: new Map(),
    edges: new Map(),
    gaps: new Map(),
    known: new Set(),
    hidden: new Set(),
    missing: new Set(),
    imports: new Map(),
    features: new Map(),
  };
  const subjects = await subjectKeys(em, uid);
  await visit(walk, subjects);
  const subject = subjects.flatMap((key) => walk.nodes.get(key)?.id ?? [])[0];
  if (subject === undefined) return undefined;
  let truncated = false;
  const sides = direction === 'both' ? (['upstream', 'downstream'] as const) : [direction];
  for (const side of sides) {
    let level = subjects.filter((key) => walk.known.has(key));
    const seen = new Set<Key>(level);
    for (let step = 0; step < depth && level.length > 0 && !truncated; step += 1) {
      if (isLate()) return 'late';
      const links = side === 'upstream' ? await upstream(walk, level) : await downstream(walk, level);
      const next = [...new Set(links.map(({ to }) => to))].filter((key) => !seen.has(key)).toSorted();
      const room = NODES_MAX - walk.nodes.size;
      const kept = next.slice(0, Math.max(0, Math.floor(room / 2)));
      truncated = kept.length < next.length;
      await visit(
        walk,
        kept.filter((key) => isNew(walk, key)),
      );
      for (const { from, to, edge } of links) {
        if (walk.known.has(to)) addEdge(walk, edge);
        else if (walk.hidden.has(to)) addGap(walk, from, 'not_entitled');
        else if (walk.missing.has(to)) addGap(walk, from, 'not_traced');
      }
      level = kept.filter((key) => walk.known.has(key));
      for (const key of next) seen.add(key);
    }
    if (level.length > 0 && !truncated && (await leadsOn(walk, level, side)))
      for (const key of level) addGap(walk, key, 'depth');
  }
  const graph = graphOf(walk, walk.gaps.values(), truncated);
  return { graph, subject };
}

/** Returns the keys at which the lineage of a uid begins. A model begins at all of its versions. */
async function subjectKeys(em: Em, uid: string): Promise<Key[]> {
  if (isUid(uid, prefixes.dataset)) {
    const found = await records.currentDataset(em, uid);
    return found ? [datasetKey(found)] : [];
  }
  if (isUid(uid, prefixes.lqmModel)) return (await records.readModels(em, [uid])).map((model) => model.uid);
  return [uid];
}

function isNew({ known, hidden, missing }: Walk, key: Key): boolean {
  return !known.has(key) && !hidden.has(key) && !missing.has(key);
}

/** Whether there are records beyond the last level that were not visited. */
async function leadsOn(walk: Walk, level: readonly Key[], side: 'upstream' | 'downstream'): Promise<boolean> {
  const links = side === 'upstream' ? await upstream(walk, level) : await downstream(walk, level);
  return links.some(({ to }) => isNew(walk, to));
}
