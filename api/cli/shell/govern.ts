import { systemClock } from '#lib/core/clock.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Allowed, Command, Verdict } from '#lib/governance/command.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';
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
  if (!outcome.ok) throw refusalOf(outcome);
  return outcome;
}

/** What a refused command ends with. */
export function refusalOf(outcome: { code: string; detail: string; faults?: readonly BodyFault[] }): Refusal {
  return outcome.faults ? invalidBody(outcome.faults) : new Refusal(outcome.code, outcome.detail);
}

/** The refusal of a document with faults: each of them by its pointer. */
export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(
    faults.length === 1 ? faults[0]!.code : 'invalid_body',
    faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; '),
  );
}
