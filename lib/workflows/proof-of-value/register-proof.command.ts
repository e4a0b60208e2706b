import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { instantOf, utcDate } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { newestVersion } from '../version.query.ts';
import { ProofOfValue } from './proof-of-value.entity.ts';
import type { ProofRequest } from './terms.schema.ts';
import { readTerms, type ProofTerms, type TermsFault } from './terms.ts';

type Input = Tenant & { request: ProofRequest };

type RegistrationVerdict =
  | { ok: true; terms: ProofTerms }
  | { ok: false; code: 'terms_invalid'; faults: TermsFault[] }
  | { ok: false; code: 'unknown_workflow' }
  | { ok: false; code: 'proof_of_value_active'; active: string };

/** Fixes the terms of a proof of value before its window begins. Starts no run. */
export const registerProof = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { request: { workflow_key: key } }, { workspace, environment }) =>
    acquireNamedLock(em, 'proof of value', workspace, environment, key),
  facts: async (em, _locked, { request: { workflow_key: key } }) => ({
    version: await newestVersion(em, key),
    active: await em.findOne(ProofOfValue, { workflowKey: key, state: 'collecting' }),
  }),
  decide({ version, active }, { request }, { now }): RegistrationVerdict {
    const read = readTerms(request, utcDate(now));
    if (!read.ok) return { ok: false, code: 'terms_invalid', faults: read.faults };
    if (!version) return { ok: false, code: 'unknown_workflow' };
    if (active) return { ok: false, code: 'proof_of_value_active', active: active.uid };
    return { ok: true, terms: read.terms };
  },
  async write(em, _facts, { terms }, at) {
    const { workspace, environment } = at.input;
    const proof = em.create(ProofOfValue, {
      uid: newUid(prefixes.proofOfValue),
      workspaceUid: workspace,
      environment,
      workflowKey: terms.workflow_key,
      terms,
      termsHash: canonicalHash(terms),
      windowFrom: instantOf(`${terms.window.from}T00:00:00Z`),
      windowTo: instantOf(`${terms.window.to}T00:00:00Z`),
      state: 'collecting',
      createdByUid: applicationOf(at),
      createdAt: at.now,
      outcome: null,
      seal: null,
      verdictAt: null,
      withdrawnAt: null,
      withdrawnByUid: null,
    });
    return { result: proof };
  },
  entry: (_facts, verdict, _input, proof) =>
    verdict.ok
      ? {
          op: 'proof_of_value.registered',
          subject: { type: 'proof_of_value', uid: proof!.uid },
          afterHash: proof!.termsHash,
          details: { workflow: proof!.workflowKey },
        }
      : undefined,
  refusals: {
    ...unknownWorkspace,
    terms_invalid: 'The terms are not valid.',
    unknown_workflow: 'The workspace has no such workflow.',
    proof_of_value_active: 'A proof of value of the workflow is still open.',
  },
});
