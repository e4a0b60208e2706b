import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { approve, decideAbout, draft, endAuthority, retry } from './delegation-steps.ts';
import { callers, voters, type Budgets, type Mode, type Stage, type Story } from './delegation-story.ts';
import { finishReservation, spendRelative, spends } from './spend-steps.ts';

type Step = (story: Story, stage: Stage) => Promise<unknown>;

/** A step as a command: it can always be taken, and where there is nothing to take it on, nothing happens. */
function command(name: string, step: Step): fc.AsyncCommand<Story, Stage> {
  return {
    check: () => true,
    run: async (story, stage) => void (await step(story, stage)),
    toString: () => name,
  };
}

const modes = fc.constantFrom<Mode>('supervised', 'autonomous');
const ordered: fc.Arbitrary<Budgets> = fc
  .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
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
/** Which of the delegations or reservations so far, the newest first. */
const which = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat({ max: 3 }));

const drafts = fc
  .tuple(modes, fc.oneof(ordered, anyBudgets))
  .map(([mode, budgets]) =>
    command(`draft(${mode}, ${Object.values(budgets)})`, draft(mode, budgets, randomUUID())),
  );

const approvals = fc
  .tuple(which, fc.constantFrom(...callers))
  .map(([at, caller]) => command(`approve(${at}, ${caller})`, approve(at, caller, randomUUID())));

const activations = fc.tuple(modes, ordered).map(([mode, budgets]) =>
  command(`activate(${mode}, ${Object.values(budgets)})`, async (story, stage) => {
    if (!(await draft(mode, budgets, randomUUID())(story, stage))) return;
    for (const caller of voters) await approve(0, caller, randomUUID())(story, stage);
    if (!story.withoutAuthority.size) expect(story.delegations.at(-1)!.state).to.equal('activated');
  }),
);

const persons = [...voters, 'drafter'] as const;
const decisions = fc
  .tuple(
    which,
    fc.oneof(
      fc.tuple(fc.constantFrom('reject', 'withdraw', 'suspend', 'revoke'), fc.constantFrom(...persons)),
      fc.constantFrom(['reject', 'anna'] as const, ['withdraw', 'drafter'] as const),
    ),
  )
  .map(([at, [event, who]]) => command(`${event}(${at}, ${who})`, decideAbout(at, event, who)));

const endings = fc
  .constantFrom(...voters)
  .map((voter) => command(`endAuthority(${voter})`, endAuthority(voter)));

const uses = fc
  .tuple(which, fc.constantFrom(...spends))
  .map(([at, relative]) => command(`spend(${at}, ${relative})`, spendRelative(at, relative)));

const outcomes = fc
  .tuple(which, which, fc.constantFrom('settle all', 'settle one', 'settle above', 'settle none', 'release'))
  .map(([at, of, how]) => command(`${how}(${at}, ${of})`, finishReservation(at, of, how)));

const retries = which.map((at) => command(`retry(${at})`, retry(at)));

/** Every command of the model, to be given to `fc.commands`; those that lead deep are there more than once. */
export const delegationCommands: fc.Arbitrary<fc.AsyncCommand<Story, Stage>>[] = [
  drafts,
  approvals,
  approvals,
  ...Array<typeof activations>(3).fill(activations),
  decisions,
  decisions,
  endings,
  ...Array<typeof uses>(5).fill(uses),
  ...Array<typeof outcomes>(3).fill(outcomes),
  retries,
];
