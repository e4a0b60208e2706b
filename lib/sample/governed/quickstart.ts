import { systemClock } from '#lib/core/clock.ts';
import type { Tenant } from '#lib/database/base.ts';
import { registerObligation } from '#lib/actions/obligations/register-obligation.command.ts';
import { sampleObligation } from './obligation.ts';
import { prepareSample } from './prepare-sample.command.ts';
import { sampleOrders } from './orders.ts';
import { SAMPLE_CONNECTOR, SAMPLE_CURRENCY, sampleBatchRules, sampleRecords } from './records.ts';
import type { WholeWorkspace } from '#lib/governance/command.ts';
import type { Request } from '#lib/governance/govern.ts';
import { governWith, type SampleOperators } from '../sample-operators.ts';
import { activateRecords, sampleApplication, sampleParty } from './record-makers.ts';
import { sampleBatch } from './batch.ts';

const DAY_MS = 86_400_000;

/**
 * Creates a complete governed sample in the sandbox:
 * - four persons
 * - an application that drafts, an application that approves, and an application that does neither
 * - a machine identity with a ceiling, a connector, a graph of one node, two authorities and a policy
 * - an obligation
 * - a batch of orders that is released, confirmed, and waits for custody evidence
 *
 * Each call creates its own sample by several commands, one after the other. A failed call keeps the records that it
 * has created. The persons are added by `maker`.
 */
export async function governQuickstart(
  operators: SampleOperators,
  workspace: string,
  maker: Request<WholeWorkspace>['actor'],
) {
  const tenant: Tenant = { workspace, environment: 'sandbox' };
  const { suffix, persons } = (await governWith(operators, prepareSample, { workspace }, maker)).result;
  const now = systemClock.now();
  const application = (name: string, owner: { uid: string }, without: string[] = []) =>
    sampleApplication(operators, tenant, { name: `${name}${suffix}`, owner: owner.uid, without });
  const applications = {
    drafter: await application('Drafter', persons.drafter),
    approver: await application('Approver', persons.approver, ['actions:create']),
    outsider: await application('Outsider', persons.controller),
  };
  const makers = { tenant, grantor: persons.grantor.uid, controller: persons.controller.uid };
  const counterparty = await sampleParty(operators, makers, {
    kind: 'counterparty',
    name: 'Sample supplier',
    key: null,
  });
  const custodian = await sampleParty(operators, makers, {
    kind: 'custodian',
    name: 'Sample custodian',
    key: 'sample_custodian',
  });
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  const records = sampleRecords({ suffix, persons, approver: applications.approver, inDays });
  const { identity, graph, authority, policy } = await activateRecords(operators, makers, records);
  const offered = sampleObligation(counterparty.id, suffix);
  const drafter = { kind: 'application' as const, uid: applications.drafter.uid };
  const { obligation } = (await governWith(operators, registerObligation, { ...tenant, offered }, drafter))
    .result;
  await activateRecords(operators, makers, sampleBatchRules(sampleOrders.map(({ isin }) => isin)));
  const batch = await sampleBatch(operators, makers, { releaser: persons.approver.uid, suffix });
  const shown = ({ uid, name }: { uid: string; name: string }) => ({ uid, name });
  return {
    persons: {
      grantor: shown(persons.grantor),
      controller: shown(persons.controller),
      drafter: shown(persons.drafter),
      approver: shown(persons.approver),
    },
    applications,
    identity: { uid: identity.uid },
    connector: SAMPLE_CONNECTOR,
    counterparty_id: counterparty.id,
    currency: SAMPLE_CURRENCY,
    obligation: { uid: obligation.uid },
    graph: { uid: graph.uid },
    authority: { uid: authority.uid },
    policy: { uid: policy.uid },
    batch,
    custodian: custodian.key!,
  };
}
