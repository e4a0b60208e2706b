import { sql } from 'kysely';
import { governOrRefuse } from '#lib/governance/govern.ts';
import { runs } from '#lib/runs.ts';
import { admitRun } from '#lib/workflows/admit-run.command.ts';
import { changeItem } from '#lib/workflows/catalogue/change-item.command.ts';
import { offerItem } from '#lib/workflows/catalogue/offer-item.command.ts';
import { findInstallations } from '#lib/workflows/catalogue/installation.query.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import { proposeVersion } from '#lib/workflows/propose-version.command.ts';
import { startRun } from '#lib/workflows/start-run.command.ts';
import { readDefinition } from '#lib/workflows/definition.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { utcDate, systemClock } from '#lib/core/clock.ts';
import { addDays } from '#lib/core/date.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { doneAs } from './command.ts';
import { publishWorkflow, waitingWorkflow } from './workflow.ts';

/** Installs the next shipped workflow that is not yet installed; returns the uid of the installation. */
export async function createInstallation(backend: Pick<Backend, 'url'>, { key }: Tenancy): Promise<string> {
  const client = clientOf(backend, key);
  const { data } = (await client.get('/workflows/library?limit=100')).body;
  const next = data.find(({ installed }: { installed: unknown }) => installed === null);
  return (await client.post(`/workflows/library/${next.key}/install`, {})).body.uid;
}

/**
 * Offers a workflow that consists of one approval, as one person of a workspace, and approves the offer as another
 * person. Returns the version of the workflow.
 */
export async function offerWorkflow(
  backend: Pick<Backend, 'orm'>,
  { workspace, person }: Tenancy,
  second: string,
  given: { key: string; title: string },
): Promise<number> {
  const read = readDefinition({ ...waitingWorkflow, ...given }, runs);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const { definition, digest } = read;
  const by = (uid: string) => ({ actor: { kind: 'person', uid } as const, clock: systemClock });
  const offer = { workspace, definition, digest, category: 'controls' as const, publisher: 'Operations' };
  const offered = await governOrRefuse(backend.orm('operator'), offerItem, offer, by(person));
  const { key, version } = offered.result;
  const approval = { workspace, key, version, event: 'approve' as const };
  await governOrRefuse(backend.orm('operator'), changeItem, approval, by(second));
  return version;
}

/** Valid terms of a proof of value for a workflow. The window of the proof begins today. */
export function proofTerms(workflow: string, given: Record<string, unknown> = {}) {
  const today = utcDate(systemClock.now());
  return {
    name: 'Faster',
    workflow_key: workflow,
    objective: 'time_saved',
    baseline: {
      metric: 'Duration',
      value: '5400',
      unit: 'seconds',
      period: { from: '2026-01-01', to: '2026-02-01' },
      source_reference: 'tickets.csv',
      source_hash: 'a'.repeat(64),
    },
    target: { value: '3600', direction: 'decrease' },
    window: { from: today, to: addDays(today, 30) },
    minimum_runs: 6,
    ...given,
  };
}

let proofs = 0;

/** Fixes the terms of a proof of value of a new workflow; returns its uid. */
export async function createProof(backend: Backend, tenancy: Tenancy): Promise<string> {
  proofs += 1; // a workflow has at most one open proof of value
  const { key } = await publishWorkflow(backend, tenancy, { ...waitingWorkflow, key: `proven-${proofs}` });
  const { body } = await clientOf(backend, tenancy.key).post('/workflows/proof-of-value', proofTerms(key));
  return body.uid;
}

/** Returns the number of rows in the tables that an installation must not change. */
export async function countGrants(backend: Pick<Backend, 'orm'>): Promise<unknown> {
  const { rows } = await inPlatform(backend.orm('operator'), (em) =>
    sql`
      select (select count(*) from workflow_version) as versions, (select count(*) from workflow_run) as runs,
        (select count(*) from workflow_admission) as admissions, (select count(*) from workflow_schedule) as schedules,
        (select count(*) from run) as jobs, (select sum(cardinality(scopes)) from application) as scopes
    `.execute(em.getKysely()),
  );
  return rows[0];
}

/** Publishes the content of an installation: the person of the tenancy proposes it, and another person publishes it. */
export async function publishInstalled(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Tenancy,
  second: string,
  installation: string,
): Promise<void> {
  const place = { workspace, environment };
  const [found] = await inTenant(backend.orm('operator'), place, (em) =>
    findInstallations(em, { uid: installation, limit: 1 }),
  );
  const { definition, digest } = found!.installation;
  const proposal = { ...place, definition, digest, installation };
  const { result: proposed } = await doneAs(backend, person, proposeVersion, proposal);
  await doneAs(backend, second, changeVersion, { version: proposed.uid, event: 'publish' });
}

/** Starts a run of the published version of a workflow, without parameters of its own. Returns the uid of the run. */
export async function startInstalled(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Tenancy,
  { key, application }: { key: string; application: string },
): Promise<string> {
  const request = { workspace, environment, key, application, parameters: {} };
  const { admission, version, parameters } = await doneAs(backend, person, admitRun, request);
  const start = { admission: admission.uid, version: version.uid, parameters };
  return (await doneAs(backend, person, startRun, start)).result.uid;
}
