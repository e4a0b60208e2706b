import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { setRate as writeRate } from './rate.write.ts';

type Input = Tenant & { currency: string; computeSecondMicro: number };
type RateVerdict = { ok: true } | { ok: false; code: 'invalid_currency'; detail: string };

/** Sets the price of one second of computing from now on, in millionths of the currency's major unit. */
export const setRate = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: async () => undefined,
  facts: async () => undefined,
  decide: (_facts, { currency }): RateVerdict =>
    minorDigits(currency) === undefined
      ? { ok: false, code: 'invalid_currency', detail: `${currency} is not an active ISO 4217 currency.` }
      : { ok: true },
  async write(em, _facts, _verdict, at) {
    const { currency, computeSecondMicro } = at.input;
    const uid = newUid(prefixes.workflowRate);
    await writeRate(em, { uid, currency, computeSecondMicro, by: personOf(at), since: at.now });
    return { result: { uid, since: at.now } };
  },
  entry: (_facts, _verdict, _input, rate) =>
    rate && { op: 'workflow.rate_set', subject: { type: 'workflow_rate', uid: rate.uid } },
  refusals: {
    ...unknownWorkspace,
    invalid_currency: 'The currency is not an active ISO 4217 currency.',
  } satisfies Record<RefusalCode<RateVerdict> | 'workspace_unknown', string>,
});
