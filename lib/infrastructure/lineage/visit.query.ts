import type { Activity } from './graph.ts';
import { readsDataset, readsRecord, readsRun } from './readable.ts';
import * as records from './records.query.ts';
import { addAnswer, addFeature, addImports } from './visit-sources.query.ts';
import {
  addEdge,
  addGap,
  datasetKey,
  datasetOfKey,
  isAnswer,
  isModel,
  isPortfolio,
  isWorkflowRun,
  type Key,
  type Walk,
} from './walk.query.ts';

/** Reads the records with these keys and adds their nodes to the walk. */
export async function visit(walk: Walk, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  const { em, reader } = walk;
  const datasets = keys.flatMap((key) => datasetOfKey(key) ?? []);
  const others = keys.filter((key) => datasetOfKey(key) === undefined && !walk.features.has(key));
  for (const key of keys) addFeature(walk, key);
  if (datasets.length > 0) {
    for (const found of await records.readRevisions(em, datasets)) {
      if (readsDataset(reader, found.kind)) addRevision(walk, found);
    }
  }
  const models = others.filter(isModel);
  if (models.length > 0 && readsRecord(reader, 'model'))
    for (const found of await records.readModels(em, models)) addModel(walk, found);
  const flows = others.filter(isWorkflowRun);
  if (flows.length > 0 && readsRecord(reader, 'workflow_run'))
    for (const found of await records.readWorkflowRuns(em, flows)) addWorkflowRun(walk, found);
  const answers = others.filter(isAnswer);
  if (answers.length > 0 && readsRecord(reader, 'qlm_answer'))
    for (const found of await records.readAnswers(em, answers)) addAnswer(walk, found);
  const rest = others.filter((key) => !isModel(key) && !isWorkflowRun(key) && !isAnswer(key));
  if (rest.length > 0) {
    for (const found of await records.readRuns(em, rest)) {
      if (readsRun(reader, found.kind)) addRun(walk, found);
      else walk.hidden.add(found.uid);
    }
    const unknown = rest.filter((key) => !walk.known.has(key) && !walk.hidden.has(key));
    if (unknown.length > 0)
      for (const { uid, kind, version } of await records.readRecords(em, unknown)) {
        if (!readsRecord(reader, kind)) {
          walk.hidden.add(uid);
          continue;
        }
        walk.nodes.set(uid, { id: uid, type: 'record', uid, kind, version });
        walk.known.add(uid);
      }
    await addImports(walk, unknown.filter(isPortfolio));
  }
  for (const key of keys) {
    if (walk.known.has(key) || walk.hidden.has(key)) continue;
    const isTraced =
      datasetOfKey(key) !== undefined ||
      isModel(key) ||
      isWorkflowRun(key) ||
      isAnswer(key) ||
      walk.features.has(key);
    if (isTraced) walk.hidden.add(key);
    else walk.missing.add(key);
  }
}

/** Adds a revision of a dataset and the import that made it. */
function addRevision(walk: Walk, found: records.RevisionFacts): void {
  const key = datasetKey(found);
  const { uid, kind, revision, import: imported, importedAt } = found;
  walk.nodes.set(key, { id: `${uid}@${revision}`, type: 'dataset', uid, kind, version: String(revision) });
  walk.imports.set(key, imported);
  walk.nodes.set(imported, {
    id: imported,
    type: 'import',
    kind,
    state: 'succeeded',
    startedAt: importedAt,
    endedAt: importedAt,
    problem: null,
    parent: null,
    application: null,
  });
  addEdge(walk, { activity: imported, relation: 'generated', other: key });
  walk.known.add(key);
}

function addRun(walk: Walk, found: records.RunFacts): void {
  const { uid, kind, state, createdAt, finishedAt, problem, parent, application, resultHash } = found;
  const ended = state === 'succeeded' || state === 'failed' || state === 'cancelled';
  walk.nodes.set(uid, {
    id: uid,
    type: 'run',
    kind,
    state: ended ? (state as Activity['state']) : 'open',
    startedAt: createdAt,
    endedAt: finishedAt,
    problem,
    parent,
    application,
  });
  walk.known.add(uid);
  if (!ended) addGap(walk, uid, 'open');
  if (resultHash === null) return;
  const id = `result/${uid}`;
  walk.nodes.set(id, { id, type: 'result', uid, kind, version: resultHash });
  addEdge(walk, { activity: uid, relation: 'generated', other: id });
}

function addModel(walk: Walk, { uid, contentHash, columns, dataset }: records.ModelFacts): void {
  const source = dataset && datasetKey(dataset);
  const traced = (columns ?? []).map(
    ({ name }) => [name, source === null ? [] : [{ node: source, field: name }]] as const,
  );
  const recorded = traced.length > 0 ? { columns: Object.fromEntries(traced) } : {};
  walk.nodes.set(uid, { id: uid, type: 'model', uid, kind: 'lqm', version: contentHash, ...recorded });
  walk.known.add(uid);
}

function addWorkflowRun(walk: Walk, found: records.WorkflowFacts): void {
  const { uid, key, state, createdAt, endedAt, error, application } = found;
  const states: Record<string, Activity['state']> = {
    succeeded: 'succeeded',
    failed: 'failed',
    timed_out: 'failed',
    cancelled: 'cancelled',
  };
  walk.nodes.set(uid, {
    id: uid,
    type: 'workflow_run',
    kind: key,
    state: states[state] ?? 'open',
    startedAt: createdAt,
    endedAt,
    problem: error,
    parent: null,
    application,
  });
  walk.known.add(uid);
  if (states[state] === undefined) addGap(walk, uid, 'open');
}
