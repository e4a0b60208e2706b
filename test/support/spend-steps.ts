import { expect } from 'chai';
import { usedAt } from './delegation-steps.ts';
import { remainingOf, usedOf, type Stage, type Story, type ExpectedDelegation } from './delegation-story.ts';
import { finish, spend } from './spend.ts';

/** Amounts at and around the bounds, where mistakes are most likely. */
export const spends = [
  'less than one',
  'one',
  'the most of an action',
  'one more than an action',
  'all that remains',
  'the most that fits',
  'one more than remains',
] as const;
type Relative = (typeof spends)[number];

function amountOf(delegation: ExpectedDelegation, relative: Relative): number {
  const { per_action_minor: max } = delegation.budgets;
  return {
    'less than one': 0,
    one: 1,
    'the most of an action': max,
    'one more than an action': max + 1,
    'all that remains': remainingOf(delegation),
    'the most that fits': Math.min(max, remainingOf(delegation)),
    'one more than remains': remainingOf(delegation) + 1,
  }[relative];
}

/**
 * Authorizes an amount. The amount must be allowed if and only if the delegation is in force and the amount is
 * within every bound.
 */
export function spendRelative(at: number, relative: Relative) {
  return async (story: Story, { operators, backend, sample }: Stage): Promise<void> => {
    const delegation = usedAt(story, at);
    if (!delegation) return;
    expect(operators.tenant.workspace).to.equal(sample.workspace);
    const amount = amountOf(delegation, relative);
    const outcome = await spend(backend.orm('operator'), delegation.uid, { amount });
    const why = `${amount} of ${remainingOf(delegation)}: ${outcome.ok ? 'ok' : outcome.code}`;
    const { budgets, state } = delegation;
    const isWithin = amount >= 1 && amount <= budgets.per_action_minor && amount <= remainingOf(delegation);
    if (outcome.ok) {
      expect(state, `I-071, I-076 ${why}`).to.equal('activated');
      expect(isWithin, `I-070, I-072 ${why}`).to.equal(true);
      const { uid } = outcome.reservation!;
      delegation.reservations.push({ uid, amount, settled: 0, state: 'open' });
    } else expect(state === 'activated' && isWithin, `I-075 ${why}`).to.equal(false);
    expect(usedOf(delegation), 'I-070').to.be.at.most(
      Math.min(budgets.per_day_minor, budgets.per_month_minor),
    );
  };
}

type How = 'settle all' | 'settle one' | 'settle above' | 'settle none' | 'release';

/** Ends a reservation once, and never above the reserved amount (I-073, I-080). */
export function finishReservation(at: number, of: number, how: How) {
  return async (story: Story, { backend }: Stage): Promise<void> => {
    const reservations = usedAt(story, at)?.reservations ?? [];
    const reservation = reservations.at(-1 - (of % Math.max(1, reservations.length)));
    if (!reservation) return;
    const actual = {
      'settle all': reservation.amount,
      'settle one': 1,
      'settle above': reservation.amount + 1,
      'settle none': 0,
      release: 0,
    }[how];
    const ended = await finish(
      backend.orm('operator'),
      reservation.uid,
      how === 'release'
        ? { event: 'release', evidence: 'statement' }
        : { event: 'settle', actual: BigInt(actual), evidence: 'statement' },
    );
    const { amount, wasAbove } = reservation;
    const isRight = wasAbove ? actual === amount : how === 'release' || (actual >= 1 && actual <= amount);
    const code = ended.ok ? 'ok' : ended.code;
    expect(ended.ok, `I-073 ${how} of what was ${reservation.state}: ${code}`).to.equal(
      reservation.state === 'open' && isRight,
    );
    if (actual > amount && reservation.state === 'open') reservation.wasAbove = true;
    if (!ended.ok) return;
    reservation.state = how === 'release' ? 'released' : 'settled';
    reservation.settled = actual;
  };
}
