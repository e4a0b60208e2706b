import { expect } from 'chai';
import { watchStillness } from '../../support/stillness.ts';

const SECOND = 1_000;

/** Creates a wait whose clock and whose state of the services are set by the test. */
function watched(patienceMs = 60 * SECOND) {
  const world = { now: 5_000, state: 'a', requested: 0 };
  const stillness = watchStillness({
    now: () => world.now,
    patienceMs,
    services: async () => (world.requested++, world.state),
  });
  const look = (seen: unknown = false, afterMs = SECOND) => {
    world.now += afterMs;
    return stillness.lookedAt(seen);
  };
  /** Makes one check each second for a number of seconds. Returns the first report of the wait. */
  const lookFor = async (seconds: number, seen: unknown = false) => {
    for (let second = 0; second < seconds; second++) {
      const said = await look(seen);
      if (said) return said;
    }
    return undefined;
  };
  return { world, look, lookFor };
}

describe('a wait', () => {
  it('ends once nothing has changed for its patience, with the duration and the unchanged state', async () => {
    const { lookFor } = watched();
    expect(await lookFor(61)).to.equal(undefined);
    const said = 'waited 62 s, and nothing has moved for 61 s; the last look gave false\nservices: a';
    expect(await lookFor(1)).to.equal(said);
  });

  it('continues while the services make progress', async () => {
    const { world, lookFor } = watched();
    for (let round = 0; round < 20; round++) {
      world.state = `round ${round}`;
      expect(await lookFor(59)).to.equal(undefined);
    }
    expect(await lookFor(3)).to.match(/^waited 1183 s, and nothing has moved for 61 s;/);
  });

  it('continues if the check gives a different result', async () => {
    const { lookFor } = watched();
    for (let round = 0; round < 20; round++) expect(await lookFor(59, round)).to.equal(undefined);
  });

  it('continues if only the machine slept', async () => {
    const { look, lookFor } = watched();
    await lookFor(5);
    expect(await look(false, 3_600 * SECOND)).to.equal(undefined);
    expect(await lookFor(4)).to.equal(undefined);
    expect(await lookFor(10)).to.match(/nothing has moved/);
  });

  it('checks the services at most once a second, from the end of the first second on', async () => {
    const { world, look } = watched();
    for (let count = 0; count < 199; count++) await look(false, 5);
    expect(world.requested).to.equal(0);
    for (let count = 0; count < 201; count++) await look(false, 5);
    expect(world.requested).to.equal(2);
  });
});
