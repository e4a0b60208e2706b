import { expect } from 'chai';
import { backendNames, testCluster } from '../../support/backends.ts';
import type { Row } from '../../bench/bench.ts';
import { benches } from '../../bench/benches.ts';
import { peerNames } from '../../bench/peers/peer-rows.ts';
import { pythonIsThere } from '../../bench/peers/python-stack.ts';
import { compare, ratioRow } from '../../bench/rounds.ts';
import { tableOf } from '../../bench/table.ts';

// Targets can only be judged on a quiet machine. This test only checks that each bench runs and reports its
// results.
describe('npm run bench', function () {
  for (const [name, load] of Object.entries(benches)) {
    it(`${name} returns well-formed rows`, async () => {
      const { bench } = await load();
      const reported: string[] = [];
      const rows = await bench.run({
        size: 'tiny',
        cluster: await testCluster(),
        backends: backendNames.slice(-1),
        notify: (line) => reported.push(line),
      });
      expect(rows).to.not.have.lengthOf(0);
      for (const row of rows) checkRow(row, name);
      expect(tableOf(rows)).to.include(name);
      expect(`${bench.summary}${bench.targets}`).to.not.equal('');
    });
  }

  for (const peer of peerNames)
    it(`jobs and http compare Assay with the stack ${peer}`, async function () {
      if (peer === 'python' && !pythonIsThere()) this.skip();
      const rows: Row[] = [];
      for (const name of ['jobs', 'http'] as const) {
        const { bench } = await benches[name]!();
        const cluster = await testCluster();
        const backends = backendNames.slice(-1);
        const found = await bench.run({ size: 'tiny', cluster, backends, peer, notify: () => {} });
        for (const row of found) checkRow(row, name);
        rows.push(...found);
      }
      expect(rows).to.have.lengthOf(6);
    });
});

describe('rounds of a bench', () => {
  it('are compared by the median ratio of their pairs', () => {
    const compared = compare([10, 20, 90], [5, 40, 10]);
    expect(compared).to.deep.equal({ figure: 20, peer: 10, ratio: 2, spread: [0.5, 9] });
  });

  it('are checked against a maximum or a minimum', () => {
    const about = { bench: 'b', case: 'c', unit: 'ms', note: '' };
    const figures = { subject: [1, 1], peer: [2, 2] };
    expect(ratioRow(about, figures, { max: 0.4 })).to.include({ target: '<= 0.4 x', met: false });
    expect(ratioRow(about, figures, { min: 0.4 })).to.include({ target: '>= 0.4 x', met: true });
    expect(ratioRow(about, figures, null)).to.include({ target: null, met: null });
  });
});

function checkRow(row: Row, bench: string): void {
  expect(row.bench).to.equal(bench);
  expect([row.case, row.unit].every((text) => text !== '')).to.equal(true);
  expect(row.figure).to.be.a('number').above(0);
  if (row.peer === null) expect(row.ratio).to.equal(null);
  else expect([row.peer, row.ratio].every((value) => Number.isFinite(value) && value! > 0)).to.equal(true);
  if (row.spread !== null) expect(row.spread[0]).to.be.at.most(row.spread[1]);
  // A row without a peer may have a target for its figure. A row with a peer and a target always reports whether the
  // target was met.
  if (row.target === null) expect(row.met).to.equal(null);
  else if (row.peer !== null) expect(row.met).to.be.a('boolean');
}
