import { newUid } from '#lib/core/id.ts';
import { minorDigits } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { lockLedger } from './ledger-lock.query.ts';
import { LedgerAccount } from './ledger-snapshot.entity.ts';

type Input = Tenant & { key: string; currency: string; name: string | null };

type Verdict = { ok: true } | { ok: false; code: 'invalid_currency' | 'account_exists' };

/** Creates an account before its first transaction. An import creates the accounts that it names. */
export const createAccount = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockLedger(em, place),
  facts: async (em, _locked, { key }) => ({ isTaken: (await em.count(LedgerAccount, { key })) > 0 }),
  decide({ isTaken }, { currency }): Verdict {
    if (minorDigits(currency) === undefined) return { ok: false, code: 'invalid_currency' };
    return isTaken ? { ok: false, code: 'account_exists' } : { ok: true };
  },
  async write(em, _facts, _verdict, { place, now, input: { key, currency, name } }) {
    const account = em.create(LedgerAccount, {
      uid: newUid(prefixes.ledgerAccount),
      workspaceUid: place.workspace,
      environment: place.environment,
      key,
      name,
      currency,
      createdAt: now,
    });
    return { result: account };
  },
  entry: (_facts, _verdict, _input, account) =>
    account && { op: 'ledger.account_created', subject: { type: 'ledger_account', uid: account.uid } },
  refusals: {
    ...unknownWorkspace,
    invalid_currency: 'The currency is not an active ISO 4217 currency. Use a three-letter code such as EUR.',
    account_exists: 'An account with this key already exists.',
  },
});
