import type { Command } from 'commander';
import { systemClock, utcDate } from '#lib/core/clock.ts';
import {
  decideExecutionException,
  type ExceptionDecision,
} from '#lib/actions/execution/exceptions/decide-exception.command.ts';
import {
  exceptionStates,
  type ExceptionState,
} from '#lib/actions/execution/exceptions/exception-decision.ts';
import { ageOf } from '#lib/actions/execution/exceptions/exception-kinds.ts';
import { listExceptions, type AgeingException } from '#lib/actions/execution/exceptions/exception.query.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { checkText, limitOption, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governAs } from '../shell/govern.ts';
import { registerList } from '../shell/list.ts';

type DecideOptions = OutputOptions & GovernedOptions & { reason?: string; evidence?: string };

const descriptions: Record<ExceptionDecision, string> = {
  acknowledge: 'record that someone is investigating an exception',
  resolve: 'resolve an exception that custody evidence cannot resolve; requires --evidence',
  waive:
    'accept an exception without resolving it; needs two people, and neither may have recorded the evidence',
};

export function register(program: Command): void {
  const group = program.command('exception');
  registerList(
    group
      .command('list')
      .description('list exceptions with their age in business days, newest first')
      .option('--batch <uid>', 'only exceptions of this batch')
      .option('--state <state>', `only exceptions in this state: ${exceptionStates.join(', ')}`)
      .addOption(limitOption(50)),
    {
      query: listExceptions,
      ask: ({ batch, state, limit }: { batch?: string; state?: ExceptionState; limit: number }) => ({
        batch,
        state,
        limit,
      }),
      present: presentWithAge,
    },
  );
  for (const event of Object.keys(descriptions) as ExceptionDecision[]) registerDecision(group, event);
}

function registerDecision(group: Command, event: ExceptionDecision): void {
  const command = withPerson(withJson(group.command(`${event} <uid>`))).description(descriptions[event]);
  if (event !== 'acknowledge')
    command.requiredOption('--reason <text>', 'the reason, stored with the exception');
  if (event === 'resolve')
    command.requiredOption(
      '--evidence <reference>',
      'a reference to the evidence, stored with the exception',
    );
  command.action(async (uid: string, options: DecideOptions) => {
    const textOf = (name: 'reason' | 'evidence') =>
      options[name] === undefined ? null : checkText(`--${name}`, options[name]);
    const input = { uid, event, reason: textOf('reason'), evidence: textOf('evidence') };
    const { result, waitsForSecond } = await governAs(decideExecutionException, input, options);
    print(
      {
        ...present(result.exception),
        waits_for_second_person: waitsForSecond,
        batch_state: result.batch.state,
      },
      options,
    );
  });
}

function presentWithAge({ record, calendar }: AgeingException) {
  const until = utcDate(record.endedAt ?? systemClock.now());
  const { days, bucket } = ageOf(calendar, utcDate(record.openedAt), until);
  return { ...present(record), age_business_days: days, age_bucket: bucket };
}

function present(record: AgeingException['record']) {
  const { uid, batchUid, kind, severity, state, currency, amountMinor, explanation } = record;
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
