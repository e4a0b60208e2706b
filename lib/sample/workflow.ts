import { anyScope } from './any-scope.ts';
import { pollUntil } from '#lib/core/poll.ts';
import type { Tenant } from '#lib/database/base.ts';
import { admitRun } from '#lib/workflows/admit-run.command.ts';
import { findInstallations } from '#lib/workflows/catalogue/installation.query.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import { proposeVersion } from '#lib/workflows/propose-version.command.ts';
import { findRuns, type FoundRun } from '#lib/workflows/read-runs.query.ts';
import { isOver } from '#lib/workflows/run-states.ts';
import { startRun } from '#lib/workflows/start-run.command.ts';
import { activateRecords } from './governed/record-makers.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';
import { modelPersons } from './model-persons.ts';

/** The shipped workflow that the demo installs, and the parameters of the installation. */
export const demoWorkflow = {
  key: 'portfolio-benchmark',
  parameters: { portfolio: 'growth', as_of: '2020-09-30', frequency: 'monthly' },
} as const;

const POLL_MS = 250;

const policy = {
  kind: 'policy',
  isShared: true,
  key: 'sample-workflows',
  name: 'The workflow that the demo runs',
  body: {
    mode: 'enforce',
    scope: { ...anyScope, actions: ['workflow.run'] },
    rules: [
      {
        key: 'sample-workflow',
        effect: 'allow',
        when: { field: 'workflow.key', op: 'in', value: [demoWorkflow.key] },
        reason_code: 'sample_workflow',
        advice: 'Write a policy of your own.',
      },
    ],
    cases: [
      {
        name: 'the workflow of the demo passes',
        input: { action: 'workflow.run', 'workflow.key': demoWorkflow.key },
        expect: { effect: 'allow' },
      },
    ],
  },
};

type Place = Tenant & { application: string; installation: string };

/**
 * Enables an installed workflow in the sample workspace by two persons, starts a run of the workflow, and waits for the
 * end of the run. The parameters are those of the installation. Enabling the workflow again changes nothing. Returns
 * the run.
 */
export async function runInstalled(
  operators: SampleOperators,
  { application, installation, ...place }: Place,
): Promise<FoundRun> {
  const { author, approver } = await modelPersons(operators, place.workspace);
  const makers = { tenant: place, grantor: author, controller: approver };
  await activateRecords(operators, makers, { policy });
  await enable(operators, place, { installation, author, approver });
  const request = { ...place, key: demoWorkflow.key, application, parameters: {} };
  const admitted = await governWith(operators, admitRun, request, person(author));
  const { admission, version, parameters } = admitted;
  const start = { admission: admission.uid, version: version.uid, parameters };
  const { result } = await governWith(operators, startRun, start, person(author));
  const read = async () => (await operators.query(place, findRuns, { uid: result.uid, limit: 1 }))[0]!;
  return pollUntil(read, ({ run }) => isOver(run.state), { everyMs: POLL_MS });
}

/** Publishes the content of an installation, unless it is enabled: one person proposes it, another publishes it. */
async function enable(
  operators: SampleOperators,
  place: Tenant,
  { installation: uid, author, approver }: { installation: string; author: string; approver: string },
): Promise<void> {
  const [found] = await operators.query(place, findInstallations, { uid, limit: 1 });
  if (!found) throw new Error(`the installation ${uid} does not exist`);
  if (found.state === 'enabled') return;
  const { definition, digest } = found.installation;
  const proposal = { ...place, definition, digest, installation: uid };
  const { result: proposed } = await governWith(operators, proposeVersion, proposal, person(author));
  const publication = { version: proposed.uid, event: 'publish' as const };
  await governWith(operators, changeVersion, publication, person(approver));
}
