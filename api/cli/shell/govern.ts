import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Allowed, Command, Verdict } from '#lib/governance/command.ts';
import { govern } from '#lib/governance/govern.ts';
import { governingPerson, type GovernedOptions } from '../governed.ts';
import { asOperator, type Operator } from '../operator.ts';

/** Carries out a command as the person that the options name. Throws its refusal. */
export function governAs<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string>(
  command: Command<Input, Locked, Facts, V, Result, Unknown>,
  input: Input,
  options: GovernedOptions,
): Promise<Allowed<V> & { result: Result }> {
  return asOperator((operator) => governBy(operator, command, input, options));
}

/** As `governAs`, for an adapter that goes on after the transaction. */
export async function governBy<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string>(
  operator: Operator,
  command: Command<Input, Locked, Facts, V, Result, Unknown>,
  input: Input,
  options: GovernedOptions,
): Promise<Allowed<V> & { result: Result }> {
  const outcome = await govern(operator.orm, command, input, {
    clock: systemClock,
    async actor(em, place) {
      const { uid } = await governingPerson(em, operator, place, options);
      return { kind: 'person', uid };
    },
  });
  if (!outcome.ok) throw new Refusal(outcome.code, outcome.detail);
  return outcome;
}
