import { expect } from 'chai';
import fc from 'fast-check';
import { backend, usualBackendNames } from '../support/backends.ts';
import { deepOpening, delegationCommands, opening } from '../support/delegation-commands.ts';
import { newStory, openStage, setStage, type Stage, type Story } from '../support/delegation-story.ts';
import { replayLog } from '../support/log-replay.ts';
import { slowed } from '../support/patience.ts';
import { times } from '../support/repetitions.ts';

const RUNS = times({ usual: 6, full: 6, all: 30 });
/**
 * The number of sequences that begin with the whole life of a delegation, so that late states of a delegation
 * are reached for every seed.
 */
const DEEP = RUNS / 3;
const COMMANDS = 25;
/** Time limit for shrinking a failure to the shortest sequence that shows it, in milliseconds. */
const SHRINK_MS = slowed(300_000);

for (const name of usualBackendNames) {
  describe(`${RUNS} random sequences of up to ${COMMANDS} commands on delegations (queue on ${name})`, () => {
    let stage: Stage;
    const stories: Story[] = [];
    before(async () => {
      stage = await openStage(await backend(name));
    });

    it('satisfy I-041, I-050, I-055, I-056, I-059, I-060, I-070 to I-073, I-075, I-076', async () => {
      for (const [openings, numRuns] of [
        [deepOpening, DEEP],
        [opening, RUNS - DEEP],
      ] as const) {
        await fc.assert(
          fc.asyncProperty(
            openings,
            fc.noBias(fc.commands(delegationCommands, { maxCommands: COMMANDS - 1, size: 'max' })),
            async (first, commands) => {
              const start = await setStage(stage, newStory());
              stories.push(start.model);
              await fc.asyncModelRun(() => start, [first, ...commands]);
            },
          ),
          { numRuns, endOnFailure: false, interruptAfterTimeLimit: SHRINK_MS },
        );
      }
    });

    it('activate, use and end delegations', () => {
      const reported = stories.flatMap(({ delegations }) => delegations);
      const reservations = reported.flatMap((each) => each.reservations);
      const count = <Row extends { state: string }>(rows: readonly Row[], ...states: Row['state'][]) =>
        rows.filter(({ state }) => states.includes(state)).length;
      const activations = reported.reduce((sum, each) => sum + each.activations, 0);
      expect(activations, 'activations').to.be.at.least(RUNS);
      expect(count(reported, 'rejected', 'withdrawn', 'revoked', 'suspended'), 'taken away').to.be.at.least(
        DEEP,
      );
      expect(count(reservations, 'settled', 'released'), 'used').to.be.at.least(DEEP);
    });

    it('I-160 make only changes that the state tables allow, each recorded in the audit log', async () => {
      const { entries, faults, untold } = await replayLog(stage.backend, stage.operators.tenant);
      expect(entries).to.be.greaterThan(RUNS);
      expect([faults, untold]).to.deep.equal([[], []]);
    });
  });
}
