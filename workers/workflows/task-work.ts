import { createAjv } from '#lib/core/ajv.ts';
import { Problem } from '#lib/core/problem.ts';
import { addDays } from '#lib/core/date.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { exceptionAgeing } from '#lib/actions/execution/exceptions/exception-ageing.query.ts';
import { COHORT_PATTERN } from '#lib/benchmarking/cohorts.ts';
import { metricKeys } from '#lib/benchmarking/metrics.ts';
import { peerReport } from '#lib/benchmarking/peer-report.query.ts';
import { PERIOD_PATTERN } from '#lib/benchmarking/period.ts';
import { checkQuality } from '#lib/data/dataset-quality.ts';
import { qualityFacts } from '#lib/data/dataset-quality.query.ts';
import { takeSnapshot } from '#lib/ledger/take-snapshot.command.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { governWithin } from '#lib/governance/govern.ts';
import { runs } from '#lib/runs.ts';
import { ImportStep, importKept } from './import-file.ts';
import type { Work } from '#lib/workflows/begin-step.write.ts';
import type { WorkflowTask } from '#lib/workflows/task-scopes.ts';
import Type, { type Static, type TObject } from 'typebox';

const ajv = createAjv();

/** Parses the input of a task by the task's schema, and calls the work of the task with it. */
function reads<Request extends TObject, Made>(
  schema: Request,
  make: (em: Em, request: Static<Request>, now: Date) => Promise<Made>,
) {
  const isRequest = ajv.compile(schema);
  return (em: Em, input: Record<string, unknown>, now: Date): Promise<Made> => {
    if (isRequest(input)) return make(em, input as Static<Request>, now);
    const [fault] = isRequest.errors!;
    throw new Problem('validation_failed', `${fault!.instancePath || '/'} ${fault!.message}`);
  };
}

type Perform = (em: Em, input: Record<string, unknown>, now: Date) => Promise<Record<string, unknown>>;

const tasks: Record<WorkflowTask, Perform> = {
  'data.import': reads(ImportStep, importKept),
  /** Checks rows and age of a dataset of the workspace against limits. */
  'data.quality': reads(
    Closed({
      dataset: Type.String({ minLength: 1, maxLength: 200 }),
      age_days_max: Type.Integer({ minimum: 0, maximum: 36_500 }),
      rows_min: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    async (em, { dataset, age_days_max: ageDaysMax, rows_min: rowsMin = null }, now) => {
      const facts = await qualityFacts(em, dataset, utcDate(now));
      if (!facts) throw new Problem('not_found', 'The workspace has no such dataset.');
      const { uid, revision, newestDay } = facts;
      const checked = checkQuality(facts, { ageDaysMax, rowsMin });
      return { dataset_uid: uid, revision, newest_day: newestDay, ...checked };
    },
  ),
  /** Counts the open exceptions of order batches by kind and age. */
  'actions.exception-ageing': reads(Closed({}), async (em, _request, now) => {
    const asOf = utcDate(now);
    const digest = await exceptionAgeing(em, asOf);
    if (!digest) throw new Problem('validation_failed', 'There are too many open exceptions for a digest.');
    return { as_of: asOf, ...digest };
  }),
  /** Reads the published benchmark cells of a cohort and month with the figures of the workspace. */
  'benchmarking.comparisons': reads(
    Closed({
      period: Type.Optional(Type.String({ pattern: PERIOD_PATTERN })),
      metric: Type.Optional(Type.Enum([...metricKeys])),
      cohort: Type.Optional(Type.String({ pattern: COHORT_PATTERN, maxLength: 80 })),
    }),
    (em, request) => peerReport(em, request),
  ),
  /** Seals the ledger balances of a day. The default is yesterday (UTC). */
  'planning.ledger-snapshot': reads(Closed({ as_of: Type.Optional(IsoDate) }), async (em, request, now) => {
    const asOf = request.as_of ?? addDays(utcDate(now), -1);
    const place = tenantOf(em);
    const by = { actor: { kind: 'system' as const }, place, clock: { now: () => now } };
    const taken = await governWithin(em, takeSnapshot, { ...place, asOf }, by);
    if (!taken.ok) throw new Problem('validation_failed', `The ledger cannot be sealed: ${taken.code}.`);
    const { uid, sealedHash, content } = taken.result.snapshot;
    return { uid, as_of: asOf, sealed_hash: sealedHash, by_currency: content.by_currency };
  }),
};

/** The work that the products do for workflow steps. */
export const work: Work = {
  runs,
  perform: (task, em, input, now) => tasks[task](em, input, now),
};
