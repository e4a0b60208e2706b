import { expect } from 'chai';
import { falseAlarms } from '../../support/false-alarms.ts';

describe('the drift rule on data without drift', function () {
  it('raises an alarm about any of 20 columns in at most 10 % of 300 runs of 1,000 rows', () => {
    expect(falseAlarms({ rows: 1_000, runs: 300, seed: 1_000 })).to.be.at.most(0.1);
  });
});
