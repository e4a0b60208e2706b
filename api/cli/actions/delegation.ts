import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { castVote } from '#lib/actions/delegations/cast-vote.command.ts';
import type { PersonEvent } from '#lib/actions/delegations/change.ts';
import { changeDelegation } from '#lib/actions/delegations/change-delegation.command.ts';
import { declareIntent } from '#lib/actions/delegations/declare-intent.command.ts';
import type { Delegation } from '#lib/actions/delegations/delegation.entity.ts';
import { findDelegationAnywhere, listDelegations } from '#lib/actions/delegations/delegation.query.ts';
import { INTENT_MINUTES } from '#lib/actions/delegations/intent.ts';
import { askForApproval } from '#lib/actions/delegations/questions.query.ts';
import { registerUse } from './delegation-use.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withPlace } from '../shell/governed-kind.ts';
import { ask } from '../shell/operator.ts';
import { registerEvents } from '../shell/events.ts';
import { governAs } from '../shell/govern.ts';
import { withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';

type Options = OutputOptions & GovernedOptions;

const KEPT = 'the reason, stored with the delegation';
const LIST_MAX = 200;

const descriptions: Record<PersonEvent, string> = {
  reject:
    'reject a draft permanently; the person in --as must be allowed to vote at the open node of the approval graph',
  withdraw: 'withdraw a draft; the person in --as must have taken part in drafting it',
  suspend: 'suspend a delegation at once; one person is enough',
  revoke: 'revoke a delegation permanently; one person is enough',
};

export function register(program: Command): void {
  const group = program.command('delegation');
  withPlace(withJson(group.command('list')))
    .description('list the delegations, newest first')
    .action(async ({ workspace, environment, ...options }: OutputOptions & Tenant) => {
      const found = await ask({ workspace, environment }, listDelegations, {}, { limit: LIST_MAX });
      printRows(found, options, summary);
    });
  withJson(group.command('show <delegation>'))
    .description('print the terms of a delegation')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await ask('everywhere', findDelegationAnywhere, uid);
      if (!found) throw new Refusal('delegation_unknown', 'The delegation does not exist.');
      const { terms, termsHash: terms_hash, nodes } = found;
      print({ ...summary(found), terms, terms_hash, nodes }, options);
    });
  registerEvents(group, 'delegation', {
    descriptions,
    reasons: { reject: KEPT, withdraw: KEPT, suspend: KEPT, revoke: KEPT },
    command: changeDelegation,
    inputOf: (uid, event, reason) => ({ uid, event, reason: reason! }),
    present: ({ result }) => summary(result),
  });
  registerIntent(group);
  withPerson(withJson(group.command('resume <delegation>')))
    .description('vote to resume a suspended delegation; all approvals are then required again')
    .action(async (uid: string, options: Options) => {
      const vote = { uid, carrier: null, awaited: 'suspended' as const, ask: askForApproval };
      print(summary((await governAs(castVote, vote, options)).delegation), options);
    });
  registerUse(group);
}

function registerIntent(group: Command): void {
  withPerson(withJson(group.command('intent <delegation>')))
    .description(
      'declare that a person intends to approve a draft of risk tier T2; the intent is valid for one approval ' +
        `within ${INTENT_MINUTES} minutes`,
    )
    .requiredOption('--application <uid>', 'the application that will submit the approval')
    .action(
      async (delegation_uid: string, { application, ...options }: Options & { application: string }) => {
        const { result } = await governAs(declareIntent, { uid: delegation_uid, application }, options);
        const { uid, node, termsHash: terms_hash, expiresAt } = result;
        print({ uid, delegation_uid, node, terms_hash, expires_at: expiresAt.toISOString() }, options);
      },
    );
}

function summary({ uid, state, terms, validUntil, stateReason }: Delegation) {
  const { action, counterparty_id, connector, currency, risk_tier } = terms;
  return {
    uid,
    state,
    action,
    counterparty_id,
    connector,
    currency,
    risk_tier,
    valid_until: validUntil.toISOString(),
    reason: stateReason ?? null,
  };
}
