import { createAjv } from '#lib/core/ajv.ts';
import { Problem } from '#lib/core/problem.ts';
import { addDays } from '#lib/core/date.ts';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, IsoDate } from '#lib/core/schema.ts';
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
