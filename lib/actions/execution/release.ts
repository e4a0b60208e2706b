import type { Em, Tenant } from '#lib/database/orm.ts';

/** What a policy is asked before a batch is released. */
export type ReleaseQuestion = {
  tenant: Tenant;
  batch: string;
  portfolio: string;
  envelopeHash: string;
  /** Notional of the orders by currency, in minor units, as the controls measured it. */
  gross: readonly { currency: string; amount_minor: string }[];
  by: string;
  now: Date;
};

export type ReleaseAnswer =
  { ok: true; decision: string | null } | { ok: false; decision: string | null; detail: string };

/** Whether the policies of the workspace allow a release. It is asked after every other rule, in the same transaction. */
export async function askReleasePolicies(_em: Em, _question: ReleaseQuestion): Promise<ReleaseAnswer> {
  return { ok: true, decision: null };
}
