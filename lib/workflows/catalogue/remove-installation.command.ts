import { LockMode } from '@mikro-orm/core';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { isLive } from './installation-states.ts';
import { lockInstallations } from './installation.query.ts';
import { WorkflowInstallation } from './workflow-installation.entity.ts';

type RemovalVerdict = { ok: true } | { ok: false; code: 'installation_ended' };

/** Removes an installation. Published versions stay published until a person withdraws them. */
export const removeInstallation = defineCommand<{ installation: string }>()({
  find: (em, { installation }) => placeOfRecord(em, WorkflowInstallation, installation),
  unknown: 'installation_unknown',
  async lock(em, { installation: uid }, place): Promise<WorkflowInstallation> {
    const { key } = await em.findOneOrFail(WorkflowInstallation, { uid });
    await lockInstallations(em, place, key);
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    return em.findOneOrFail(WorkflowInstallation, { uid }, locked);
  },
  facts: async (_em, installation) => installation,
  decide: (installation): RemovalVerdict =>
    isLive(installation) ? { ok: true } : { ok: false, code: 'installation_ended' },
  async write(_em, installation, _verdict, at) {
    installation.removedAt = at.now;
    installation.removedByUid = personOf(at);
    return { result: { installation, state: 'removed' as const } };
  },
  entry: ({ uid, key, version }, verdict) =>
    verdict.ok
      ? {
          op: 'workflow.installation_removed',
          subject: { type: 'workflow_installation', uid },
          details: { workflow: key, version },
        }
      : undefined,
  refusals: {
    installation_unknown: 'The installation does not exist.',
    installation_ended: 'The installation was already replaced or removed.',
  },
});
