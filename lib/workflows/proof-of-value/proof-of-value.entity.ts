import { defineEntity, p } from '@mikro-orm/core';
import type { Seal } from '#lib/core/seal.ts';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ProofOutcome } from './outcome.ts';
import type { ProofState } from './proof-states.ts';
import type { ProofTerms } from './terms.ts';

const ProofOfValueSchema = defineEntity({
  name: 'ProofOfValue',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    workflowKey: p.text(),
    terms: p.json<ProofTerms>(),
    /** SHA-256 of the RFC 8785 form of the terms. */
    termsHash: p.text(),
    windowFrom: p.datetime(),
    windowTo: p.datetime(),
    state: p.text().$type<ProofState>(),
    createdByUid: p.text(),
    createdAt: p.datetime(),
    /** The measured figures; null before the verdict. */
    outcome: p.json<ProofOutcome>().nullable(),
    seal: p.json<Seal>().nullable(),
    verdictAt: p.datetime().nullable(),
    withdrawnAt: p.datetime().nullable(),
    withdrawnByUid: p.text().nullable(),
  },
});

/**
 * A proof of value: terms that were fixed before a window, and the verdict that a worker gave after the end of the
 * window.
 */
export class ProofOfValue extends ProofOfValueSchema.class {}
ProofOfValueSchema.setClass(ProofOfValue);
