import { Refusal } from '#lib/core/refusal.ts';
import { sampleReturns } from '#lib/data/sample.ts';
import type { Tenant } from '#lib/database/base.ts';
import { evaluationsRun } from '#lib/models/training/evaluations.run.ts';
import { startEvaluation, startTraining } from '#lib/models/training/start-run.command.ts';
import { trainingsRun } from '#lib/models/training/trainings.run.ts';
import { writeModelVersion } from '#lib/models/training/write-version.command.ts';
import { decideVersion } from '#lib/models/registry/decide-version.command.ts';
import type { LqmState } from '#lib/models/registry/lqm.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { modelPersons, type ModelPersons } from './model-persons.ts';
import { seedReturns } from './returns.ts';
import { governWith, type SampleOperators } from './sample-operators.ts';

const SAMPLE_MODEL = 'sample_regimes';

/**
 * A function that executes a run in this process. The record of the run must be committed. A worker is not needed. The
 * outcome is stored in the record.
 */
export type RunHere = (run: Tenant & { uid: string; kind: string }) => Promise<void>;

/** A function that provides `runHere` while `work` runs. */
export type WithRunner = (work: (runHere: RunHere) => Promise<void>) => Promise<void>;

type Sample = Tenant & { application: string };

/**
 * Creates a regime model of the sample returns. Its version becomes the serving version for generative runs of the
 * sample workspace. One person writes the model, sealed runs train and evaluate it, and another person approves it.
 * After an interrupted call, the next call continues. A call after a completed call changes nothing.
 */
export async function seedModel(
  operators: SampleOperators,
  sample: Sample,
  withRunner: WithRunner,
): Promise<void> {
  const persons = await modelPersons(operators, sample.workspace);
  const first = await newestVersion(operators, sample, persons);
  if (isOver(first.state)) return;
  await withRunner(async (runHere) => {
    let found = first;
    while (!isOver(found.state)) {
      const { state } = found;
      found = await advance(operators, sample, { found, persons, runHere });
      if (found.state === state) throw new Refusal('model_not_made', `the sample model stays ${state}`);
    }
  });
}

function isOver(state: LqmState): boolean {
  return state === 'approved' || state === 'retired';
}

async function advance(
  operators: SampleOperators,
  sample: Sample,
  { found, persons, runHere }: { found: LqmInVersion; persons: ModelPersons; runHere: RunHere },
): Promise<LqmInVersion> {
  const { modelUid: model, version } = found;
  if (found.state === 'evaluated') {
    const approver = { kind: 'person', uid: persons.approver } as const;
    await governWith(operators, decideVersion, { model, version, event: 'approve' }, approver);
  } else {
    const isTraining = found.state === 'draft';
    const input = { model, version, application: sample.application };
    const author = { kind: 'person', uid: persons.author } as const;
    const { result } = await governWith(
      operators,
      isTraining ? startTraining : startEvaluation,
      input,
      author,
    );
    const kind = isTraining ? trainingsRun.key : evaluationsRun.key;
    await runHere({ ...tenantOf(sample), uid: result.uid, kind });
  }
  const [now] = await operators.query(tenantOf(sample), findLqms, { model, limit: 1 });
  return now!;
}

/** Returns the newest version of the sample model. Creates a version if the model has no version. */
async function newestVersion(
  operators: SampleOperators,
  sample: Sample,
  persons: ModelPersons,
): Promise<LqmInVersion> {
  const place = tenantOf(sample);
  const newest = { key: SAMPLE_MODEL, limit: 1 };
  const [known] = await operators.query(place, findLqms, newest);
  if (known) return known;
  const dataset = await seedReturns(operators, sample.workspace, persons);
  const { title: name, maxAgeDays } = sampleReturns;
  const common = { family: 'regime_ghmm', regimesMax: 3, horizon: 1, fits: {}, members: [] } as const;
  const version = { ...common, dataset, maxAgeDays };
  const author = { kind: 'person', uid: persons.author } as const;
  await governWith(operators, writeModelVersion, { place, key: SAMPLE_MODEL, name, version }, author);
  return (await operators.query(place, findLqms, newest))[0]!;
}

function tenantOf({ workspace, environment }: Tenant): Tenant {
  return { workspace, environment };
}
