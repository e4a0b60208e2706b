import { columnsOf } from '#lib/data/feature-expression/expression.ts';
import { parseExpression } from '#lib/data/feature-expression/parse.ts';
import { readableOf, sourceOf } from '#lib/data/feature/source.ts';
import type { Activity, ColumnEdges } from './graph.ts';
import { readsRecord } from './readable.ts';
import type { AnswerFacts } from './records.query.ts';
import { portfolioImports, type ValuesFacts } from './sources.query.ts';
import { addEdge, addGap, datasetKey, type Key, type Walk } from './walk.query.ts';

/** The largest number of imports of one portfolio in a graph. */
const IMPORTS_MAX = 50;

/** Adds a sealed answer of a question model, as two nodes: an activity and its result. */
export function addAnswer(walk: Walk, { uid, application, askedAt, resultHash }: AnswerFacts): void {
  const kind = 'modeling.qlm-answers';
  walk.nodes.set(uid, done({ id: uid, kind, startedAt: askedAt, endedAt: askedAt, application }));
  const id = `result/${uid}`;
  walk.nodes.set(id, { id, type: 'result', uid, kind, version: resultHash });
  addEdge(walk, { activity: uid, relation: 'generated', other: id });
  walk.known.add(uid);
}

/** Adds the pinned values of a feature and the materialisation that wrote them, if the key identifies pinned values. */
export function addFeature(walk: Walk, key: Key): void {
  const found = walk.features.get(key);
  if (!found || !readsRecord(walk.reader, 'feature')) return;
  const { uid, revision, materialisation } = found;
  const version = String(revision);
  const columns = columnsRead(found);
  walk.nodes.set(key, {
    id: key,
    type: 'record',
    uid,
    kind: 'feature',
    version,
    ...(columns && { columns }),
  });
  walk.known.add(key);
  if (!materialisation) return addGap(walk, key, 'not_traced');
  const { startedAt, finishedAt } = materialisation;
  const made = { id: materialisation.uid, kind: 'data.feature-materialisation', application: null };
  walk.nodes.set(materialisation.uid, done({ ...made, startedAt, endedAt: finishedAt }));
  addEdge(walk, { activity: materialisation.uid, relation: 'generated', other: key });
}

/**
 * Returns the columns of the source that the expression of a feature reads; undefined if the expression names no
 * column, or if the dataset and its revision are not known.
 */
function columnsRead({ expression, dataset, kind, materialisation }: ValuesFacts): ColumnEdges | undefined {
  const source = kind === null ? undefined : sourceOf(kind);
  if (!materialisation || !source) return undefined;
  const node = datasetKey({ id: dataset, revision: materialisation.revision });
  const read = columnsOf(parseExpression(expression, readableOf(source)));
  return read.length === 0 ? undefined : { value: read.map((field) => ({ node, field })) };
}

/** Adds the imports that recorded the events of portfolios. Leaves out portfolios that the reader may not see. */
export async function addImports(walk: Walk, portfolios: readonly Key[]): Promise<void> {
  const visible = portfolios.filter((key) => walk.known.has(key));
  if (visible.length === 0) return;
  const found = await portfolioImports(walk.em, visible, IMPORTS_MAX + 1);
  for (const [portfolio, all] of Map.groupBy(found, (each) => each.portfolio)) {
    if (all.length > IMPORTS_MAX) addGap(walk, portfolio, 'not_traced');
    for (const { uid, kind, importedAt } of all.slice(-IMPORTS_MAX)) {
      const times = { startedAt: importedAt, endedAt: importedAt };
      const imported = done({ id: uid, kind: `portfolio_${kind}`, application: null, ...times });
      walk.nodes.set(uid, { ...imported, type: 'import' });
      addEdge(walk, { activity: uid, relation: 'generated', other: portfolio });
    }
  }
}

type Done = Pick<Activity, 'id' | 'kind' | 'startedAt' | 'endedAt' | 'application'>;

function done(work: Done): Activity {
  return { ...work, type: 'run', state: 'succeeded', problem: null, parent: null };
}
