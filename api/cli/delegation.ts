import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment, type Em } from '#lib/database/base.ts';
import {
  changeDelegation,
  personEvents,
  type PersonEvent,
} from '#lib/actions/delegation/change.repository.ts';
import { castVote } from '#lib/actions/delegation/cast-vote.command.ts';
import { Delegation } from '#lib/actions/delegation/delegation.entity.ts';
import { declareIntent, INTENT_MINUTES } from '#lib/actions/delegation/intent.repository.ts';
import { askForApproval } from '#lib/actions/delegation/questions.repository.ts';
import { registerUse } from './delegation-use.ts';
import { governingPerson, withPerson, type GovernedOptions } from './governed.ts';
import { asOperator } from './operator.ts';
import { governAs } from './shell/govern.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type ChangeOptions = OutputOptions & GovernedOptions & { reason: string };

const descriptions: Record<PersonEvent, string> = {
  reject: 'reject a draft for ever, as somebody who may vote at its open node',
  withdraw: 'take a draft back, as a person behind it',
  suspend: 'take it out of force at once; one person is enough',
  revoke: 'end it for ever; one person is enough',
};

const past: Record<PersonEvent, string> = {
  reject: 'rejected',
  withdraw: 'withdrawn',
  suspend: 'suspended',
  revoke: 'revoked',
};

const refusals: Record<string, string> = {
  delegation_unknown: 'there is no such delegation',
  transition_not_allowed: 'that cannot happen to it in its present state',
  approver_not_eligible: 'the person has no place at the open node',
  not_of_the_drafters: 'only a person behind the draft withdraws it',
  delegation_not_draft: 'it is not a draft',
  approver_not_bound: 'the application does not speak for the person',
  node_unknown: 'no node is open',
};

export function register(program: Command): void {
  const group = program
    .command('delegation')
    .description('delegations to machines: decide about them, and use them');
  withJson(group.command('list'))
    .description('list them, newest first')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .action(async (options: OutputOptions & { workspace: string; environment: Environment }) => {
      const found = await asOperator((operator) =>
        operator.inWorkspace(
          options.workspace,
          (em) => em.find(Delegation, {}, { orderBy: { uid: 'desc' }, limit: 200 }),
          options.environment,
        ),
      );
      printRows(found.map(summary), options);
    });
  withJson(group.command('show <delegation>'))
    .description('print its terms')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await asOperator((operator) => operator.everywhere((em) => find(em, uid)));
      const { terms, termsHash: terms_hash, nodes } = found;
      print({ ...summary(found), terms, terms_hash, nodes }, options);
    });
  for (const event of personEvents) registerEvent(group, event);
  registerIntent(group);
  registerResume(group);
  registerUse(group);
}

function registerEvent(group: Command, event: PersonEvent): void {
  withPerson(withJson(group.command(`${event} <delegation>`)))
    .description(descriptions[event])
    .requiredOption('--reason <text>', 'why; it is kept')
    .action(async (uid: string, options: ChangeOptions) => {
      const reason = checkText('--reason', options.reason);
      const changed = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const { workspaceUid: workspace, environment } = await find(em, uid);
          const { uid: person } = await governingPerson(em, operator, { workspace, environment }, options);
          const changed = await changeDelegation(em, { uid, event, person, reason, now: systemClock.now() });
          if (changed.ok || changed.code !== 'delegation_unknown') {
            const refused = changed.ok ? undefined : changed.code;
            const about = ofTenant('delegation', changed.delegation);
            await record(em, {
              op: `delegation.${past[event]}`,
              by: person,
              ...about,
              refused,
              details: { reason },
            });
          }
          return changed;
        }),
      );
      if (!changed.ok) throw new Refusal(changed.code, refusals[changed.code]!);
      print(summary(changed.delegation), options);
    });
}

function registerIntent(group: Command): void {
  withPerson(withJson(group.command('intent <delegation>')))
    .description(`declare, for ${INTENT_MINUTES} minutes, that a person means to approve a draft of T2`)
    .requiredOption('--application <uid>', 'the application that will carry the approval')
    .action(async (uid: string, options: OutputOptions & GovernedOptions & { application: string }) => {
      const { application } = options;
      const declared = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const delegation = await find(em, uid);
          const { workspaceUid: workspace, environment } = delegation;
          const { uid: person } = await governingPerson(em, operator, { workspace, environment }, options);
          const declared = await declareIntent(em, { uid, application, person, now: systemClock.now() });
          const intent = declared.ok ? { intent_uid: declared.intent.uid } : {};
          await record(em, {
            op: 'delegation.intent_declared',
            by: person,
            ...ofTenant('delegation', delegation),
            refused: declared.ok ? undefined : declared.code,
            details: { ...intent, application_uid: application },
          });
          return declared;
        }),
      );
      if (!declared.ok) throw new Refusal(declared.code, refusals[declared.code]!);
      const { uid: intentUid, node, termsHash: terms_hash, expiresAt } = declared.intent;
      print(
        { uid: intentUid, delegation_uid: uid, node, terms_hash, expires_at: expiresAt.toISOString() },
        options,
      );
    });
}

function registerResume(group: Command): void {
  withPerson(withJson(group.command('resume <delegation>')))
    .description('vote that a suspended delegation be in force again; it takes the whole graph')
    .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
      const vote = { uid, carrier: null, awaited: 'suspended' as const, ask: askForApproval };
      const { delegation } = await governAs(castVote, vote, options);
      print(summary(delegation), options);
    });
}

async function find(em: Em, uid: string): Promise<Delegation> {
  const found = await em.findOne(Delegation, { uid }, { filters: false });
  if (!found) throw new Refusal('delegation_unknown', refusals['delegation_unknown']!);
  return found;
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
