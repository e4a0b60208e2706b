import type { Em } from '#lib/database/base.ts';
import type { Clock } from '#lib/core/clock.ts';
import { columnsOf, comparesEntities } from '../feature-expression/expression.ts';
import { reachOf } from '../feature-expression/reach.ts';
import { parseExpression } from '../feature-expression/parse.ts';
import {
  beginMaterialisation,
  endMaterialisation,
  noteMaterialisation,
  type Materialisation,
  type Mode,
  type Progress,
} from './materialisation.write.ts';
import { lackingRows } from './merge.ts';
import {
  dayWithObservedBefore,
  observedSubjects,
  readObservations,
  unnamedCurrencies,
  type Inputs,
} from './observation.query.ts';
import { eventTimeOf, firstDayOfPeriod, periodOf } from './period.ts';
import { isOfOneEntity, readableOf, sourceOf } from './source.ts';
import { computeFeature, type FeatureRule } from './compute-feature.ts';
import { analyzeValues, storedValues, writeValues, type ValueRow } from './value.write.ts';
import type { MaterialisableVersion } from './version.query.ts';

/** Runs work in a transaction of the version's workspace. */
export type InTransaction = <T>(work: (em: Em) => Promise<T>) => Promise<T>;

export type Materialised = Progress & { uid: string; mode: Mode };

/** The number of subjects that are read and computed in one transaction. */
const SUBJECTS_AT_ONCE = 100;
const MANY_ROWS = 10_000;

/**
 * Updates the values of a version from all known data of its source, in several transactions. Returns undefined if
 * another process is already updating this version.
 *
 * Mode `full` computes all events. Mode `incremental` computes only the events that new data can have changed. These are
 * the events of each subject of the source (such as a symbol) with new observations, from the period of the earliest new
 * observation of any subject. If the expression compares entities, or if all values belong to one entity, the events of
 * all subjects are computed from that period. If no materialisation of the version has succeeded yet, `incremental`
 * works like `full`.
 *
 * Both modes write only missing rows, so both lead to the same values. The next materialisation completes an interrupted
 * materialisation.
 */
export async function materialise(
  transaction: InTransaction,
  version: MaterialisableVersion,
  { mode, clock, onProgress }: { mode: Mode; clock: Clock; onProgress?: (progress: Progress) => void },
): Promise<Materialised | undefined> {
  const begun = await transaction((em) => beginMaterialisation(em, version, { mode, now: clock.now() }));
  if (!begun) return undefined;
  const { uid } = begun;
  try {
    const progress = await computeAll(transaction, version, begun, { clock, onProgress });
    await transaction(async (em) => {
      await endMaterialisation(em, { uid, versionId: version.id, now: clock.now() });
      if (progress.written >= MANY_ROWS) await analyzeValues(em);
    });
    return { ...progress, uid, mode: begun.mode };
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 500) : 'unknown';
    await transaction((em) =>
      endMaterialisation(em, { uid, versionId: version.id, problem, now: clock.now() }),
    );
    throw error;
  }
}

type Steps = { clock: Clock; onProgress: ((progress: Progress) => void) | undefined };

async function computeAll(
  transaction: InTransaction,
  version: MaterialisableVersion,
  begun: Materialisation,
  { clock, onProgress }: Steps,
): Promise<Progress> {
  const work = workOf(version, begun);
  const scope = await transaction(async (em) => {
    const currencies = await unnamedCurrencies(em, work.inputs);
    if (currencies.length > 1) {
      throw new Error(
        `the amounts that the feature reads are in ${currencies.join(', ')}; name one currency, such as "revenue.${currencies[0]}"`,
      );
    }
    return scopeOf(em, work, begun);
  });
  const progress: Progress = { total: scope.subjects.length, done: 0, written: 0 };
  for (const subjects of stepsOf(work, scope.subjects)) {
    await transaction(async (em) => {
      const rows = await rowsLacking(em, version.id, work, { ...scope, subjects });
      progress.done += subjects.length;
      progress.written += rows.length;
      if (!(await noteMaterialisation(em, begun.uid, progress, clock.now()))) {
        throw new Error('another process has taken over the materialisation');
      }
      await writeValues(em, version.id, rows);
    });
    onProgress?.(progress);
  }
  return progress;
}

type Work = { rule: FeatureRule; inputs: Inputs; now: number; comparesEntities: boolean; reach: number };

function workOf(version: MaterialisableVersion, begun: Materialisation): Work {
  const source = sourceOf(version.datasetKind);
  if (!source) throw new Error(`features cannot be computed from a dataset of ${version.datasetKind}`);
  const expression = parseExpression(version.expression, readableOf(source));
  const { frequency, datasetId, workspace } = version;
  return {
    rule: { expression, frequency },
    inputs: {
      source,
      columns: columnsOf(expression),
      frequency,
      datasetId,
      revision: begun.revision,
      workspace,
    },
    now: Date.parse(begun.until) * 1_000,
    comparesEntities: comparesEntities(expression),
    reach: reachOf(expression),
  };
}

/**
 * The part of a feature to compute: the subjects, the first period, and the first day of required observations. Without
 * a first period or day, the part begins with the first observation.
 */
type Scope = { subjects: readonly string[]; period: number | undefined; from: string | undefined };

async function scopeOf(em: Em, work: Work, { since }: Materialisation): Promise<Scope> {
  const { inputs, rule } = work;
  const all = async () => (await observedSubjects(em, inputs)).names;
  if (!since) return { subjects: await all(), period: undefined, from: undefined };
  const lastPeriod = periodOf(rule.frequency, since.until.slice(0, 10));
  const day = firstDayOfPeriod(rule.frequency, lastPeriod);
  const changed = await observedSubjects(em, inputs, { ...since, day });
  if (changed.firstObservedOn === undefined) return { subjects: [], period: undefined, from: undefined };
  const isWhole = work.comparesEntities || isOfOneEntity(inputs.source, inputs.columns);
  const subjects = isWhole ? await all() : changed.names;
  const period = periodOf(rule.frequency, changed.firstObservedOn);
  const from = await firstDayNeeded(em, work, { subjects, period });
  return { subjects, period, from };
}

/**
 * Returns the first day whose observations can be part of a window that ends in the period or later. Returns
 * undefined if entities are compared over days, because each entity has its own days.
 */
async function firstDayNeeded(
  em: Em,
  { rule, inputs, reach, comparesEntities: compares }: Work,
  { subjects, period }: { subjects: readonly string[]; period: number },
): Promise<string | undefined> {
  if (rule.frequency !== 'daily') return firstDayOfPeriod(rule.frequency, period - reach);
  const day = firstDayOfPeriod(rule.frequency, period);
  if (reach === 0) return day;
  return compares ? undefined : dayWithObservedBefore(em, inputs, { subjects, day, count: reach });
}

/**
 * Splits the subjects into steps. There is only one step if entities are compared, or if all subjects belong to one
 * entity.
 */
function stepsOf({ inputs, comparesEntities: compares }: Work, subjects: readonly string[]): string[][] {
  const isWhole = compares || isOfOneEntity(inputs.source, inputs.columns);
  const size = isWhole ? Math.max(1, subjects.length) : SUBJECTS_AT_ONCE;
  return Array.from({ length: Math.ceil(subjects.length / size) }, (_, step) =>
    subjects.slice(step * size, (step + 1) * size),
  );
}

async function rowsLacking(em: Em, versionId: number, work: Work, scope: Scope): Promise<ValueRow[]> {
  const { rule, inputs, now } = work;
  const observed = await readObservations(em, inputs, { subjects: scope.subjects, from: scope.from });
  const history = computeFeature(rule, observed, now);
  const entities = [...history.keys()];
  const eventOf = (period: number) => eventTimeOf(rule.frequency, period);
  const from = scope.period === undefined ? undefined : eventOf(scope.period);
  const stored = await storedValues(em, versionId, { entities, from });
  return entities.flatMap((entity) => {
    const steps = new Map([...history.get(entity)!].map(([period, each]) => [eventOf(period), each]));
    const held = stored.get(entity);
    const events = new Set([...steps.keys(), ...(held?.keys() ?? [])]);
    const wanted = [...events].filter((event) => from === undefined || event >= from);
    return wanted.flatMap((eventTime) =>
      lackingRows(steps.get(eventTime), held?.get(eventTime) ?? []).map((row) => ({
        entity,
        eventTime,
        ...row,
      })),
    );
  });
}
