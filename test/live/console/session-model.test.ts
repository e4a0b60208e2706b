import { expect } from 'chai';
import fc from 'fast-check';
import type { Environment } from '#lib/database/base.ts';
import type { PersonEvent } from '#lib/access/person.ts';
import { onOneBackend } from '../../support/live.ts';
import { slowed } from '../../support/patience.ts';
import { times } from '../../support/repetitions.ts';
import * as steps from '../../support/session-story.ts';
import type { SessionStage, SessionStory } from '../../support/session-story.ts';

const RUNS = times({ usual: 10, full: 60, all: 600 });
const COMMANDS = 40;
const MINUTE_MS = 60_000;
/** Time limit for shrinking a failure to the shortest sequence that shows it, in milliseconds. */
const SHRINK_MS = slowed(120_000);

type Command = fc.AsyncCommand<SessionStory, SessionStage>;
type Step = (story: SessionStory, stage: SessionStage) => Promise<void>;

/** Returns a step as a command that can run in every state. Without a session or link, it has no effect. */
function command<Values extends readonly unknown[]>(
  name: string,
  values: { [K in keyof Values]: fc.Arbitrary<Values[K]> },
  step: (...given: Values) => Step,
): fc.Arbitrary<Command> {
  return fc.tuple(...values).map((given) => ({
    check: () => true,
    run: (story, stage) => step(...(given as unknown as Values))(story, stage),
    toString: () => `${name}(${given.join(', ')})`,
  }));
}

/** Selects a session, a link or a person by its distance from the newest. */
const which = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 4 }));
const person = fc.nat({ max: 1 });
const environment = fc.constantFrom<Environment>('sandbox', 'production');
/** A departure is final, so it is rare. */
const event = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<PersonEvent>('suspend', 'reinstate', 'reinstate') },
  fc.constant<PersonEvent>('depart'),
);
const pause = fc.constantFrom(1, 30_000, MINUTE_MS, 14 * MINUTE_MS, 15 * MINUTE_MS - 1, 15 * MINUTE_MS);

const commands: fc.Arbitrary<Command>[] = [
  command('wait', [pause], steps.wait),
  command('issueLink', [person, environment], steps.issueLink),
  command('followLink', [which], steps.followLink),
  command('followLink', [fc.constant(0)], steps.followLink),
  command('signInAtProvider', [person, environment], steps.signInAtProvider),
  command('signInAtProvider', [person, environment], steps.signInAtProvider),
  command('request', [which], steps.request),
  command('request', [which], steps.request),
  command('keepBusy', [fc.constant(0), fc.constantFrom(60, 479, 490)], steps.keepBusy),
  command('steal', [which], steps.steal),
  command('signOut', [which], steps.signOut),
  command('changeState', [person, event], steps.changeState),
  command('suspendBriefly', [person], steps.suspendBriefly),
  command('suspendBriefly', [person], steps.suspendBriefly),
  command('unlink', [person], steps.unlink),
  command('decide', [which], steps.decide),
  command('decide', [which], steps.decide),
];

onOneBackend(`${RUNS} random sequences of ${COMMANDS} steps with sessions of the console`, (live) => {
  let stage: SessionStage;
  before(async () => {
    stage = await steps.openSessionStage(live());
  });

  it('begin and end in each way that the steps can show', async () => {
    const story = await steps.newSessionStory(stage);
    const [full, other] = [1, 0];
    for (const step of [
      steps.issueLink(full, 'production'),
      steps.followLink(0),
      steps.followLink(0),
      steps.decide(0),
      steps.steal(0),
      steps.keepBusy(0, 490),
      steps.request(0),
      steps.signInAtProvider(full, 'production'),
      steps.wait(15 * MINUTE_MS),
      steps.request(0),
      steps.signInAtProvider(other, 'production'),
      steps.signInAtProvider(other, 'sandbox'),
      steps.decide(0),
      steps.signOut(0),
      steps.request(0),
      steps.issueLink(other, 'sandbox'),
      steps.wait(15 * MINUTE_MS),
      steps.followLink(0),
      steps.signInAtProvider(full, 'sandbox'),
      steps.changeState(full, 'suspend'),
      steps.changeState(full, 'reinstate'),
      steps.request(0),
      steps.signInAtProvider(full, 'sandbox'),
      steps.unlink(full),
      steps.request(0),
      steps.signInAtProvider(full, 'sandbox'),
      steps.changeState(other, 'depart'),
      steps.issueLink(other, 'sandbox'),
      steps.signInAtProvider(other, 'sandbox'),
    ])
      await step(story, stage);
    expect([...stage.outcomes.keys()].toSorted()).to.deep.equal([
      'decide code_invalid',
      'decide passkey_unknown',
      'depart ok',
      'follow link_expired',
      'follow link_used',
      'follow ok',
      'link ok',
      'link person_not_active',
      'reinstate ok',
      'request ended',
      'request idle',
      'request old',
      'request open',
      'sign in identity_unconfirmed',
      'sign in identity_unknown',
      'sign in ok',
      'sign in person_not_active',
      'sign out ok',
      'suspend ok',
      'unlink ok',
    ]);
  });

  it('open, confirm and end sessions exactly as the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.noBias(fc.commands(commands, { maxCommands: COMMANDS, size: 'max' })),
        async (sequence) => {
          const story = await steps.newSessionStory(stage);
          for (const each of story.persons.keys())
            await steps.signInAtProvider(each, 'sandbox')(story, stage);
          await fc.asyncModelRun(() => ({ model: story, real: stage }), sequence);
          for (const index of story.sessions.keys()) await steps.request(index)(story, stage);
        },
      ),
      { numRuns: RUNS, endOnFailure: false, interruptAfterTimeLimit: SHRINK_MS },
    );
  });
});
