import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { boundNames } from '../../capacity/cell.ts';
import { runUnits, units } from '../../capacity/cost.ts';
import { readMeasured } from '../../capacity/measured.ts';
import { redisIsThere } from '../../support/redis.ts';

const run = promisify(execFile);

describe('npm run capacity', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-capacity-test-'));
    file = path.join(folder, 'measured.json');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  // The command starts its own services, so it must not get those of this test.
  async function capacity(...words: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, ['test/capacity/main.ts', ...words], {
      env: { ...process.env, DATABASE_URL: '', REDIS_URL: '' },
    });
    return stdout;
  }

  it('measures every unit, prints each part, and writes the measurement', async function () {
    const queue = redisIsThere() ? 'redis' : 'postgres';
    const printed = await capacity('--quick', '--check', '--queue', queue, '--json', file);
    expect(printed).to.include('QUICK');
    for (const name of [...units, ...boundNames]) expect(printed).to.include(name);
    expect(printed).to.match(/It carries [\d.,]+ runs\/s at the peak, .* and reaches the limit of \w+ first/);
    expect(printed).to.include('The same cell with runs of one kind only');
    for (const runs of ['1,000,000 ', '100,000,000 ', '1,000,000,000 '])
      expect(printed).to.include(`│ ${runs}`);
    expect(printed).to.include('Simulation: 1000 workspaces (Zipf, exponent 1)').and.include("Jain's index");
    expect(printed).to.include('Check of the simulation, measured / simulated');

    const { costs, quick, queue: measuredQueue } = readMeasured(file);
    expect(quick).to.equal(true);
    expect(measuredQueue).to.equal(queue);
    for (const unit of runUnits) {
      const { walBytes, walFlushes, postgresTrips, queueTrips, slotMs, storedBytes } = costs[unit];
      for (const figure of [walBytes, walFlushes, postgresTrips, slotMs]) expect(figure, unit).to.be.above(0);
      if (queue === 'redis') expect(queueTrips, unit).to.be.above(0);
      expect(storedBytes.table + storedBytes.index + storedBytes.toast, unit).to.be.at.least(0);
    }
    expect(costs.factor_run.walBytes).to.be.above(costs.no_op_run.walBytes);
    expect(costs.read.postgresTrips).to.be.closeTo(2, 1);
    expect(costs.authorize_and_settle.postgresTrips).to.be.closeTo(8, 2);
  });

  it('derives other cells from an earlier measurement, without measuring again', async () => {
    const small = await capacity(
      '--from',
      file,
      '--quick',
      '--cores',
      '2',
      '--storage',
      '0.001',
      '--workspaces',
      '10',
    );
    expect(small).to.include('A cell of 2 processors').and.include('reaches the limit of storage first');
    expect(small).to.include('Simulation: 10 workspaces');
  });

  for (const [words, reason] of [
    [['--mix', 'forecast_run=0.5'], 'the kinds of runs add up to 0.5, not to 1'],
    [['--mix', 'nothing=1'], 'there is no unit nothing'],
    [['--skew', 'zipf:0'], 'zipf:<exponent> or pareto:<shape>'],
    [['--cores', 'many'], 'a number that is at least 0'],
  ] as const)
    it(`refuses ${words.join(' ')}`, async () => {
      const refusal = await capacity(...words).catch((error: { stderr: string }) => error.stderr);
      expect(refusal).to.include(reason);
    });
});
