import { defineCommand, personOf } from '#lib/governance/command.ts';
import type { Em } from '#lib/database/base.ts';
import type { Application } from './application.entity.ts';
import { applicationUnknown, placeOfApplication } from './application.query.ts';
import { lockApplication } from './change-application.command.ts';
import { ProductionAccess } from './production-access.entity.ts';
import {
  decideProductionAccess,
  REQUEST_DAYS,
  type ProductionAccessEvent,
  type ProductionAccessVerdict,
} from './production-access.ts';

type Input = { application: string; event: ProductionAccessEvent };

type Verdict = ProductionAccessVerdict | { ok: false; code: 'not_production' };

const ops = {
  request: 'production_access.requested',
  approve: 'production_access.approved',
  revoke: 'production_access.revoked',
} as const satisfies Record<ProductionAccessEvent, string>;

/**
 * Requests, approves or revokes the production access of an application. No scope grants production access:
 * one person must request it and another person must approve it. The audit log also records refused changes.
 */
export const changeProductionAccess = defineCommand<Input>()({
  find: (em, { application }) => placeOfApplication(em, application),
  unknown: 'application_unknown',
  lock: (em, { application }) => lockApplication(em, application),
  async facts(em, application) {
    const { uid: applicationUid } = application;
    return {
      application,
      access: await em.findOne(ProductionAccess, { applicationUid }, { filters: false }),
    };
  },
  decide({ application, access }, { event }, at): Verdict {
    if (application.environment !== 'production') return { ok: false, code: 'not_production' };
    const facts = {
      state: access?.state ?? ('none' as const),
      requestedBy: access?.requestedByUid,
      requestedAt: access?.requestedAt,
    };
    return decideProductionAccess(facts, event, personOf(at), at.now);
  },
  async write(em, { application, access }, { next }, at) {
    const { now } = at;
    const person = personOf(at);
    if (next === 'requested') request(em, application, { access, person, now });
    else if (next === 'approved') em.assign(access!, { state: next, approvedByUid: person, approvedAt: now });
    else em.assign(access!, { state: next, revokedByUid: person, revokedAt: now });
    return { result: undefined };
  },
  entry: ({ application: { uid, environment } }, _verdict, { event }) =>
    environment === 'production' ? { op: ops[event], subject: { type: 'application', uid } } : undefined,
  refusals: {
    application_unknown: applicationUnknown,
    not_production: 'The application belongs to the sandbox, which needs no production access.',
    production_access_not_requested: 'Production access was not requested, or it was revoked.',
    production_access_requested: 'Production access is already requested and waits for a second person.',
    production_access_approved: 'Production access is already approved.',
    production_access_request_lapsed: `The request for production access is older than ${REQUEST_DAYS} days. Request production access again.`,
    second_person_required: 'The person who requested production access cannot approve it.',
  },
});

function request(
  em: Em,
  { uid, workspaceUid, environment }: Application,
  { access, person, now }: { access: ProductionAccess | null; person: string; now: Date },
): void {
  const requested = {
    state: 'requested' as const,
    requestedByUid: person,
    requestedAt: now,
    approvedByUid: null,
    approvedAt: null,
    revokedByUid: null,
    revokedAt: null,
  };
  if (access) em.assign(access, requested);
  else em.create(ProductionAccess, { applicationUid: uid, workspaceUid, environment, ...requested });
}
