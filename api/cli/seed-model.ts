import { LockMode } from '@mikro-orm/core';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sampleReturns } from '#lib/data/sample.ts';
import type { Em, Orm, Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { carryOut } from '#lib/governance/govern.ts';
import { evaluationsRun } from '#lib/modeling/evaluations.run.ts';
import { submitModelRun } from '#lib/modeling/start-run.command.ts';
import { writeVersion } from '#lib/modeling/new-version.repository.ts';
import { trainingsRun } from '#lib/modeling/trainings.run.ts';
import { LqmModel } from '#lib/registry/lqm.entity.ts';
import { decideVersion } from '#lib/registry/decide-version.command.ts';
import type { LqmState } from '#lib/registry/lqm.ts';
import { findLqms, type LqmInVersion } from '#lib/registry/lqm.repository.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { withRunner, type RunHere } from './run-here.ts';
import { modelPersons, type ModelPersons } from './seed-model-persons.ts';
import { sampleDefinition } from './seed-returns.ts';

const SAMPLE_MODEL = 'sample_regimes';

type Sample = Tenant & { application: string };

/**
 * A regime model of the sample returns, which serves the generative runs of the sample workspace: written by one
 * person, trained and evaluated by sealed runs, approved by another. It goes on from where it was left; again changes
 * nothing.
 */
export async function seedModel(orm: Orm, sample: Sample, ownerUrl: string): Promise<void> {
  const persons = await inTenant(orm, sample, (em) => modelPersons(em, sample.workspace));
  const first = await inTenant(orm, sample, (em) => newestVersion(em, sample, persons));
  if (isOver(first.state)) return;
  await withRunner(ownerUrl, async (runHere) => {
    let found = first;
    while (!isOver(found.state)) {
      const { state } = found;
      found = await advance(orm, sample, { found, persons, runHere });
      if (found.state === state) throw new Refusal('model_not_made', `the sample model stays ${state}`);
    }
  });
}

function isOver(state: LqmState): boolean {
  return state === 'approved' || state === 'retired';
}

async function advance(
  orm: Orm,
  sample: Sample,
  { found, persons, runHere }: { found: LqmInVersion; persons: ModelPersons; runHere: RunHere },
): Promise<LqmInVersion> {
  if (found.state === 'evaluated') await inTenant(orm, sample, (em) => approve(em, sample, found, persons));
  else {
    const job = found.state === 'draft' ? trainingsRun : evaluationsRun;
    const uid = await inTenant(orm, sample, (em) => submit(em, job, found, { sample, by: persons.author }));
    await runHere({ ...tenantOf(sample), uid, kind: job.key });
  }
  const [now] = await inTenant(orm, sample, (em) => findLqms(em, { model: found.modelUid, most: 1 }));
  return now!;
}

async function submit(
  em: Em,
  job: typeof trainingsRun | typeof evaluationsRun,
  found: LqmInVersion,
  { sample, by }: { sample: Sample; by: string },
): Promise<string> {
  const { submitted, entry } = await submitModelRun(
    em,
    job,
    { model_uid: found.modelUid, version: found.version },
    { application: sample.application, now: systemClock.now() },
  );
  await record(em, { ...entry, by, ...tenantOf(sample) });
  return submitted.uid;
}

/** The newest version of the sample model, which is written where there is none. */
async function newestVersion(em: Em, sample: Sample, { author, approver }: ModelPersons) {
  const known = await em.findOne(LqmModel, { key: SAMPLE_MODEL }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!known) await writeModel(em, sample, { author, approver });
  const [found] = await findLqms(em, { key: SAMPLE_MODEL, most: 1 });
  return found!;
}

async function writeModel(em: Em, sample: Sample, persons: ModelPersons): Promise<void> {
  const { workspace, environment } = sample;
  const definition = await sampleDefinition(em, workspace, persons);
  const now = systemClock.now();
  const by = persons.author;
  const model = em.create(LqmModel, {
    uid: newUid(prefixes.lqmModel),
    workspaceUid: workspace,
    environment,
    key: SAMPLE_MODEL,
    name: sampleReturns.title,
    family: definition.family,
    createdByUid: by,
    createdAt: now,
  });
  await em.flush();
  const version = await writeVersion(em, model, { definition, by, now });
  await record(em, {
    op: 'lqm.version_written',
    by,
    ...tenantOf(sample),
    subject: { type: 'lqm_model', uid: model.uid },
    details: { version: version.version, content_hash: version.contentHash },
  });
}

async function approve(em: Em, sample: Sample, found: LqmInVersion, persons: ModelPersons): Promise<void> {
  const approved = await carryOut(
    em,
    decideVersion,
    { model: found.modelUid, version: found.version, event: 'approve' },
    { actor: { kind: 'person', uid: persons.approver }, place: tenantOf(sample), clock: systemClock },
  );
  if (!approved.ok) throw new Refusal(approved.code, approved.detail);
}

function tenantOf({ workspace, environment }: Tenant): Tenant {
  return { workspace, environment };
}
