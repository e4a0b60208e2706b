import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { VoidReason } from './approval.ts';
import type { Independence, ApplicationPersons } from './independence.ts';
import type { PinnedNode } from './quorum.ts';
import type { DelegationState } from './states.ts';
import type { VoteProof } from './vote-proof.ts';
import type { DelegationTerms } from './terms.ts';

const DelegationSchema = defineEntity({
  name: 'Delegation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    state: p.text().$type<DelegationState>(),
    identityUid: p.text(),
    terms: p.json<DelegationTerms>(),
    termsHash: p.text(),
    reason: p.text().nullable(),
    graphUid: p.text(),
    graphVersion: p.integer(),
    graphHash: p.text(),
    nodes: p.json<PinnedNode[]>(),
    /** The persons related to the drafting application at the time of the draft. */
    creator: p.json<ApplicationPersons>(),
    creatorPersons: p.array(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
    draftExpiresAt: p.datetime(),
    validUntil: p.datetime(),
    replacesUid: p.text().nullable(),
    activatedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    stateReason: p.text().nullable(),
  },
});

/** A delegation: the limited authority of a machine to act. It has no effect before persons have approved it. */
export class Delegation extends DelegationSchema.class {}
DelegationSchema.setClass(Delegation);

const DelegationApprovalSchema = defineEntity({
  name: 'DelegationApproval',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    delegationUid: p.text(),
    node: p.integer(),
    personUid: p.text(),
    role: p.text().nullable(),
    applicationUid: p.text().nullable(),
    credentialUid: p.text().nullable(),
    bindingUid: p.text().nullable(),
    authorityUid: p.text(),
    authorityVersion: p.integer(),
    authorityHash: p.text(),
    intentUid: p.text().nullable(),
    independence: p.json<Independence>(),
    decisionUid: p.text().nullable(),
    termsHash: p.text(),
    /** The proof of the person for a vote in the console; null for other votes. */
    proof: p.json<VoteProof>().nullable(),
    at: p.datetime(),
    state: p.text().$type<'counted' | 'voided'>(),
    voidReason: p.text().$type<VoidReason>().nullable(),
    voidedAt: p.datetime().nullable(),
  },
});

/**
 * The vote of a person, cast by an application, in the operator CLI or in the console, with the records that support
 * the vote.
 */
export class DelegationApproval extends DelegationApprovalSchema.class {}
DelegationApprovalSchema.setClass(DelegationApproval);

const ApprovalIntentSchema = defineEntity({
  name: 'ApprovalIntent',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    delegationUid: p.text(),
    personUid: p.text(),
    applicationUid: p.text(),
    node: p.integer(),
    termsHash: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});

/**
 * The declaration of a person, made in the operator CLI, that they intend to approve exactly these terms
 * through one application. A declaration can be used once, within `INTENT_MINUTES`.
 */
export class ApprovalIntent extends ApprovalIntentSchema.class {}
ApprovalIntentSchema.setClass(ApprovalIntent);
