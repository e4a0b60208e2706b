import type { Command } from 'commander';
import { systemClock, utcDate } from '#lib/core/clock.ts';
import type { DecidedException } from '#lib/actions/execution/exception-decision.repository.ts';
import { decideExecutionException } from '#lib/actions/execution/exception-decision.repository.ts';
import { exceptionStates, type ExceptionEvent } from '#lib/actions/execution/exception-decision.ts';
import { ageOf } from '#lib/actions/execution/exception-kinds.ts';
import { ExecutionException } from '#lib/actions/execution/execution-evidence.entity.ts';
import { calendarOf } from '#lib/actions/execution/rules.repository.ts';
import { environments } from '#lib/database/base.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, limitOption, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Event = Exclude<ExceptionEvent, 'clear'>;
type DecideOptions = OutputOptions & GovernedOptions & { reason?: string; evidence?: string };

const descriptions: Record<Event, string> = {
  acknowledge: 'say that somebody looks after it',
  resolve: 'end what custody evidence cannot settle by itself, on evidence',
  waive: 'accept it as it is; it takes two persons, neither of whom recorded the evidence',
};

const ops = {
  acknowledge: 'exception.acknowledged',
  resolve: 'exception.resolved',
  waive: 'exception.waived',
} as const satisfies Record<Event, string>;

const refusals: Record<Extract<DecidedException, { ok: false }>['code'], string> = {
  exception_unknown: 'there is no such exception',
  transition_not_allowed: 'that cannot happen to it in its present state',
  decider_not_independent: 'who recorded evidence about the batch, or answers for what did, does not decide',
  second_person_required: 'one person wanted to waive it already; it takes another',
  custody_evidence_required: 'it ends by custody evidence, or is waived by two persons',
};

export function register(program: Command): void {
  const group = program
    .command('exception')
    .description('what is wrong with the settlement of order batches');
  withJson(group.command('list'))
    .description('list exceptions with their age in business days, newest first')
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .option('--batch <uid>', 'only those of this batch')
    .option('--state <state>', exceptionStates.join(', '))
    .addOption(limitOption(50))
    .action(async (options: OutputOptions & Place & { batch?: string; state?: string; limit: number }) => {
      const { workspace, environment, batch, state } = options;
      const rows = await asOperator((operator) =>
        operator.inWorkspace(
          workspace,
          async (em) => {
            await findWorkspace(em, workspace);
            const wanted = {
              ...(batch === undefined ? {} : { batchUid: batch }),
              ...(state === undefined ? {} : { state: state as ExecutionException['state'] }),
            };
            const found = await em.find(ExecutionException, wanted, {
              orderBy: { uid: 'desc' },
              limit: options.limit,
            });
            const calendar = await calendarOf(em, { workspace, environment });
            const today = utcDate(systemClock.now());
            return found.map((each) => {
              const until = each.endedAt ? utcDate(each.endedAt) : today;
              const { days, bucket } = ageOf(calendar, utcDate(each.openedAt), until);
              return { ...present(each), age_business_days: days, age_bucket: bucket };
            });
          },
          environment,
        ),
      );
      printRows(rows, options);
    });
  for (const event of Object.keys(descriptions) as Event[]) registerDecision(group, event);
}

function registerDecision(group: Command, event: Event): void {
  const command = withPerson(withJson(group.command(`${event} <uid>`))).description(descriptions[event]);
  if (event !== 'acknowledge') command.requiredOption('--reason <text>', 'why; it is kept');
  if (event === 'resolve') command.requiredOption('--evidence <reference>', 'what it rests on; it is kept');
  command.action(async (uid: string, options: DecideOptions) => {
    const [reason, evidence] = (['reason', 'evidence'] as const).map((name) =>
      options[name] === undefined ? null : checkText(`--${name}`, options[name]),
    ) as [string | null, string | null];
    const find = {
      find: (em: Parameters<typeof decideExecutionException>[0]) =>
        em.findOne(ExecutionException, { uid }, { filters: false }),
      code: 'exception_unknown',
      what: 'exception',
    };
    const decided = await onRecordAs(find, options, async (em, { uid: by }) => {
      const cause = { actor: { kind: 'person' as const, uid: by }, now: systemClock.now() };
      const decided = await decideExecutionException(em, uid, { event, by, reason, evidence }, cause);
      if (!decided.ok && decided.code === 'exception_unknown') return decided;
      const { exception } = decided;
      const waits = decided.ok && decided.waitsForSecond;
      await record(em, {
        op: waits ? 'exception.waiver_requested' : ops[event],
        by,
        ...ofTenant('execution_exception', exception),
        refused: decided.ok ? undefined : decided.code,
        details: {
          kind: exception.kind,
          batch_uid: exception.batchUid,
          reason,
          evidence_reference: evidence,
        },
      });
      return decided;
    });
    if (!decided.ok) throw new Refusal(decided.code, refusals[decided.code]);
    print(
      {
        ...present(decided.exception),
        waits_for_second_person: decided.waitsForSecond,
        batch_state: decided.batchState,
      },
      options,
    );
  });
}

function present({
  uid,
  batchUid,
  kind,
  severity,
  state,
  currency,
  amountMinor,
  explanation,
}: ExecutionException) {
  return {
    uid,
    batch_uid: batchUid,
    kind,
    severity,
    state,
    currency: currency ?? null,
    amount_minor: amountMinor == null ? null : Number(amountMinor),
    explanation,
  };
}
