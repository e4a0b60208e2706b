import type { Em } from '#lib/database/base.ts';
import { NODES_MAX, type Activity, type Edge } from './graph.ts';
import * as records from './records.query.ts';
import * as sources from './sources.query.ts';
import {
  datasetKey,
  datasetOfKey,
  featureKey,
  isModel,
  isPortfolio,
  isWorkflowRun,
  type Key,
  type Walk,
} from './walk.query.ts';

/** A connection between two keys, with its edge in the graph. */
export type Link = { from: Key; to: Key; edge: Edge };

/** Returns the connections from keys to the records that they come from. */
export async function upstream(walk: Walk, level: readonly Key[]): Promise<Link[]> {
  const { em, nodes, imports } = walk;
  const links: Link[] = [];
  const runs = level.filter((key) => nodes.get(key)?.type === 'run');
  if (runs.length > 0) {
    for (const { uid, run } of await records.referencesOf(em, runs)) {
      if (uid === run) continue;
      const isMade = isModel(uid) && kindOf(nodes, run) === 'modeling.trainings';
      if (!isMade) links.push({ from: run, to: uid, edge: used(run, uid) });
    }
    for (const run of runs) {
      const { parent } = nodes.get(run) as Activity;
      if (parent !== null) links.push({ from: run, to: parent, edge: part(parent, run) });
    }
  }
  links.push(...(await featureLinks(walk, runs)));
  for (const key of level) {
    const known = walk.features.get(key);
    if (!known?.materialisation) continue;
    const { uid, revision } = known.materialisation;
    const source = datasetKey({ id: known.dataset, revision });
    links.push({ from: key, to: source, edge: { activity: uid, relation: 'used', other: source } });
  }
  const models = level.filter(isModel);
  if (models.length > 0) links.push(...(await trainings(em, models)));
  for (const key of level) {
    const dataset = datasetOfKey(key);
    if (!dataset || dataset.revision <= 1) continue;
    const before = datasetKey({ ...dataset, revision: dataset.revision - 1 });
    const imported = imports.get(key);
    if (imported !== undefined)
      links.push({ from: key, to: before, edge: { activity: imported, relation: 'used', other: before } });
  }
  return links;
}

/** Returns the connections from runs to the feature values that these runs have pinned. */
async function featureLinks(walk: Walk, runs: readonly Key[]): Promise<Link[]> {
  if (runs.length === 0) return [];
  return (await sources.featuresOf(walk.em, runs)).map((found) => {
    const key = featureKey(found);
    if (!walk.features.has(key)) walk.features.set(key, found);
    return { from: found.run, to: key, edge: { activity: found.run, relation: 'used', other: key } };
  });
}

async function trainings(em: Em, models: readonly Key[]): Promise<Link[]> {
  const found = await records.referencesTo(em, models, NODES_MAX);
  const runs = await records.readRuns(em, [...new Set(found.map(({ run }) => run))]);
  const made = new Set(runs.filter(({ version }) => version !== null).map(({ uid }) => uid));
  return found
    .filter(({ run }) => made.has(run))
    .map(({ uid, run }) => ({
      from: uid,
      to: run,
      edge: { activity: run, relation: 'generated', other: uid },
    }));
}

/** Returns the connections from keys to the records that they lead to. */
export async function downstream(walk: Walk, level: readonly Key[]): Promise<Link[]> {
  const { em, nodes } = walk;
  const links: Link[] = await featureUses(walk, level);
  const flows = level.filter(isWorkflowRun);
  if (flows.length > 0)
    for (const { whole, run } of await records.readMembers(em, flows))
      links.push({ from: whole, to: run, edge: part(whole, run) });
  const referred = level.filter((key) => !isWorkflowRun(key) && !walk.features.has(key));
  if (referred.length > 0) {
    const found = await records.referencesTo(em, referred, NODES_MAX);
    const isTraining = new Set(
      (
        await records.readRuns(em, [
          ...new Set(found.filter(({ uid }) => isModel(uid)).map(({ run }) => run)),
        ])
      )
        .filter(({ version }) => version !== null)
        .map(({ uid }) => uid),
    );
    for (const { uid, run } of found)
      if (uid !== run && !(isModel(uid) && isTraining.has(run)))
        links.push({ from: uid, to: run, edge: used(run, uid) });
  }
  const trained = level.filter((key) => kindOf(nodes, key) === 'modeling.trainings');
  if (trained.length > 0)
    for (const { uid, version } of await records.readRuns(em, trained))
      if (version !== null)
        links.push({
          from: uid,
          to: version,
          edge: { activity: uid, relation: 'generated', other: version },
        });
  return links;
}

/**
 * Returns the connections from revisions of datasets to the values of features that were computed from them, and from
 * values of features to the runs that have pinned them.
 */
async function featureUses(walk: Walk, level: readonly Key[]): Promise<Link[]> {
  const links: Link[] = [];
  const datasets = level.flatMap((key) => datasetOfKey(key) ?? []);
  if (datasets.length > 0)
    for (const found of await sources.featuresFrom(walk.em, datasets, NODES_MAX)) {
      const { uid, revision } = found.materialisation!;
      const [from, to] = [datasetKey({ id: found.dataset, revision }), featureKey(found)];
      if (!walk.features.has(to)) walk.features.set(to, found);
      links.push({ from, to, edge: { activity: uid, relation: 'used', other: from } });
    }
  const features = level.flatMap((key) => walk.features.get(key) ?? []);
  if (features.length > 0)
    for (const found of await sources.runsWithFeatures(walk.em, features, NODES_MAX)) {
      const from = featureKey(found);
      links.push({ from, to: found.run, edge: { activity: found.run, relation: 'used', other: from } });
    }
  return links;
}

function kindOf(nodes: Walk['nodes'], key: Key): string | undefined {
  return nodes.get(key)?.kind;
}

function used(run: Key, uid: Key): Edge {
  const isResult = datasetOfKey(uid) === undefined && !isModel(uid) && !isPortfolio(uid);
  return { activity: run, relation: 'used', other: isResult ? `result/${uid}` : uid };
}

function part(whole: Key, run: Key): Edge {
  return { activity: whole, relation: 'part', other: run };
}
