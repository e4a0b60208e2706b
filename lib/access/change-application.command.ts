import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { Application } from './application.entity.ts';
import { applicationUnknown, placeOfApplication } from './application.query.ts';
import { decideApplication, type ApplicationEvent } from './application.ts';

const ops = {
  suspend: 'application.suspended',
  resume: 'application.resumed',
  revoke: 'application.revoked',
} as const;

/**
 * Suspends, resumes or revokes an application. The audit log does not record a request that changes nothing.
 */
export const changeApplication = defineCommand<{ application: string; event: ApplicationEvent }>()({
  find: (em, { application }) => placeOfApplication(em, application),
  unknown: 'application_unknown',
  lock: (em, { application }) => lockApplication(em, application),
  facts: async (_em, application) => application,
  decide: ({ status }, { event }) => decideApplication(status, event),
  async write(_em, application, { next }) {
    if (next !== 'unchanged') application.status = next;
    return { result: { status: application.status } };
  },
  entry: (_application, verdict, { application, event }) =>
    verdict.ok && verdict.next !== 'unchanged'
      ? { op: ops[event], subject: { type: 'application', uid: application } }
      : undefined,
  refusals: {
    application_unknown: applicationUnknown,
    application_revoked: 'The application is revoked. A revocation is final.',
  },
});

/** Sets the scopes of the credentials of an application. The change applies from the next request on. */
export const setScopes = defineCommand<{ application: string; scopes: string[] }>()({
  find: (em, { application }) => placeOfApplication(em, application),
  unknown: 'application_unknown',
  lock: (em, { application }) => lockApplication(em, application),
  facts: async (_em, application) => ({ application, before: application.scopes }),
  decide: () => ({ ok: true as const }),
  async write(_em, { application }, _verdict, { input: { scopes } }) {
    application.scopes = scopes;
    return { result: undefined };
  },
  entry: ({ before }, _verdict, { application, scopes }) => ({
    op: 'application.scopes_set',
    subject: { type: 'application', uid: application },
    details: { before, after: scopes },
  }),
  refusals: { application_unknown: applicationUnknown },
});

/** Locks an application and reads its row again, even if the transaction has already read the row. */
export function lockApplication(em: Em, uid: string): Promise<Application> {
  return em.findOneOrFail(
    Application,
    { uid },
    { filters: false, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
}
