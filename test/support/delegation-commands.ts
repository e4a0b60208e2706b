import { expect } from 'chai';
import fc from 'fast-check';
import { approve, decideAbout, draft, endAuthority, retry } from './delegation-steps.ts';
import { callers, voters, type Budgets, type Mode, type Stage, type Story } from './delegation-story.ts';
import { finishReservation, spendRelative, spends } from './spend-steps.ts';

type Step = (story: Story, stage: Stage) => Promise<unknown>;

/**
 * Returns a step as a command that can run in every state. The command has no effect without a delegation or
 * reservation to act on.
 */
function command(name: string, step: Step): fc.AsyncCommand<Story, Stage> {
  return {
    check: () => true,
    run: async (story, stage) => void (await step(story, stage)),
    toString: () => name,
  };
}

const modes = fc.constantFrom<Mode>('supervised', 'autonomous');
const ordered: fc.Arbitrary<Budgets> = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.nat({ max: 20 }), fc.nat({ max: 20 }))
  .map(([action, day, month]) => ({
    per_action_minor: action,
    per_day_minor: action + day,
    per_month_minor: action + day + month,
  }));
const amount = fc.integer({ min: 0, max: 3 });
const anyBudgets: fc.Arbitrary<Budgets> = fc.record({
  per_action_minor: amount,
  per_day_minor: amount,
  per_month_minor: amount,
});
/** Selects one of the existing delegations or reservations by its distance from the newest. */
const which = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 3 }));

const drafts = fc
  .tuple(modes, fc.oneof(ordered, anyBudgets))
  .map(([mode, budgets]) => command(`draft(${mode}, ${Object.values(budgets)})`, draft(mode, budgets)));

const approvals = fc
  .tuple(which, fc.constantFrom(...callers))
  .map(([at, caller]) => command(`approve(${at}, ${caller})`, approve(at, caller)));

const activate =
  (mode: Mode, budgets: Budgets): Step =>
  async (story, stage) => {
    if (!(await draft(mode, budgets)(story, stage))) return;
    for (const caller of voters) await approve(0, caller)(story, stage);
    if (!story.withoutAuthority.size) expect(story.delegations.at(-1)!.state).to.equal('activated');
  };

const activations = fc
  .tuple(modes, ordered)
  .map(([mode, budgets]) => command(`activate(${mode}, ${Object.values(budgets)})`, activate(mode, budgets)));

const persons = [...voters, 'drafter'] as const;
const takings = fc.constantFrom(['suspend', 'bert'] as const, ['revoke', 'chef'] as const);
const decisions = fc
  .tuple(
    which,
    fc.oneof(
      fc.tuple(fc.constantFrom('reject', 'withdraw', 'suspend', 'revoke'), fc.constantFrom(...persons)),
      takings,
    ),
  )
  .map(([at, [event, who]]) => command(`${event}(${at}, ${who})`, decideAbout(at, event, who)));

/** A delegation that a person rejected stays rejected, even if other persons vote for it afterwards. */
const refusals = fc
  .tuple(
    modes,
    ordered,
    fc.constantFrom(
      ['reject', 'anna'] as const,
      ['reject', 'bert'] as const,
      ['withdraw', 'drafter'] as const,
    ),
  )
  .map(([mode, budgets, [event, who]]) =>
    command(`turnDown(${mode}, ${event}, ${who})`, async (story, stage) => {
      if (!(await draft(mode, budgets)(story, stage))) return;
      await approve(0, 'anna')(story, stage);
      await decideAbout(0, event, who)(story, stage);
      await approve(0, 'bert')(story, stage);
    }),
  );

const endings = fc
  .constantFrom(...voters)
  .map((voter) => command(`endAuthority(${voter})`, endAuthority(voter)));

const uses = fc
  .tuple(which, fc.constantFrom(...spends))
  .map(([at, relative]) => command(`spend(${at}, ${relative})`, spendRelative(at, relative)));

const how = fc.constantFrom('settle all', 'settle one', 'settle above', 'settle none', 'release');

const outcomes = fc
  .tuple(which, which, how)
  .map(([at, of, way]) => command(`${way}(${at}, ${of})`, finishReservation(at, of, way)));

/** After a reservation ends, the released amount can be used again, but no larger amount. */
const turnovers = fc.tuple(which, how).map(([at, way]) =>
  command(`turnover(${at}, ${way})`, async (story, stage) => {
    await spendRelative(at, 'the most that fits')(story, stage);
    await finishReservation(at, 0, way)(story, stage);
    await spendRelative(at, 'the most that fits')(story, stage);
  }),
);

const retries = which.map((at) => command(`retry(${at})`, retry(at)));

/** The beginning of a sequence: a delegation is activated, so that it can be used. */
export const opening = activations;

/** The beginning of a sequence that reaches late states: a delegation is activated, used, and then ended. */
export const deepOpening = fc
  .tuple(modes, ordered, fc.constantFrom('settle all', 'settle one', 'release'), takings)
  .map(([mode, budgets, way, [event, who]]) =>
    command(`live(${mode}, ${Object.values(budgets)}, ${way}, ${event}, ${who})`, async (story, stage) => {
      await activate(mode, budgets)(story, stage);
      await spendRelative(0, 'the most that fits')(story, stage);
      await finishReservation(0, 0, way)(story, stage);
      await decideAbout(0, event, who)(story, stage);
    }),
  );

/**
 * Every command of the model, for `fc.commands`; commands that lead to late states are listed more than once.
 */
export const delegationCommands: fc.Arbitrary<fc.AsyncCommand<Story, Stage>>[] = [
  drafts,
  approvals,
  approvals,
  activations,
  activations,
  decisions,
  decisions,
  refusals,
  endings,
  ...Array<typeof uses>(5).fill(uses),
  outcomes,
  outcomes,
  turnovers,
  turnovers,
  retries,
];
