import { expect } from 'chai';
import { watchStillness } from '../../support/stillness.ts';

const SECOND = 1_000;

/** Creates a wait. The test sets its clock and the state of its services. */
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
  /**
   * Checks once a second for a number of seconds. Returns the first report, or undefined without a report.
   */
  const lookFor = async (seconds: number, seen: unknown = false) => {
    for (let second = 0; second < seconds; second++) {
      const said = await look(seen);
      if (said) return said;
    }
    return undefined;
  };
  return { world, look, lookFor };
}

describe('a wait of a test for a result', () => {
  it('ends if nothing has changed for longer than its limit, and reports the duration and the state', async () => {
    const { lookFor } = watched();
    expect(await lookFor(61)).to.equal(undefined);
    const said = 'waited 62 s, and nothing has moved for 61 s; the last look gave false\nservices: a';
    expect(await lookFor(1)).to.equal(said);
  });

  it('continues while the state of the services changes', async () => {
    const { world, lookFor } = watched();
    for (let round = 0; round < 20; round++) {
      world.state = `round ${round}`;
      expect(await lookFor(59)).to.equal(undefined);
    }
    expect(await lookFor(3)).to.match(/^waited 1183 s, and nothing has moved for 61 s;/);
  });

  it('continues while the awaited check gives different results', async () => {
    const { lookFor } = watched();
    for (let round = 0; round < 20; round++) expect(await lookFor(59, round)).to.equal(undefined);
  });

  it('does not count a long interruption of the machine', async () => {
    const { look, lookFor } = watched();
    await lookFor(5);
    expect(await look(false, 3_600 * SECOND)).to.equal(undefined);
    expect(await lookFor(4)).to.equal(undefined);
    expect(await lookFor(10)).to.match(/nothing has moved/);
  });

  it('queries the services at most once a second, and not in the first second', async () => {
    const { world, look } = watched();
    for (let count = 0; count < 199; count++) await look(false, 5);
    expect(world.requested).to.equal(0);
    for (let count = 0; count < 201; count++) await look(false, 5);
    expect(world.requested).to.equal(2);
  });
});
