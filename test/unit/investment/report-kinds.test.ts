import { expect } from 'chai';
import { reportKindNames, reportKinds, type ReportKind } from '#lib/investment/reports/report-kinds.query.ts';
import { runs } from '#lib/runs.ts';

describe('the kinds of investment reports', () => {
  for (const name of reportKindNames) {
    const { run, asOf, portfolio }: ReportKind = reportKinds[name];

    // A list of reports reads only the summaries of runs, so these members must be in the summary.
    it(`have the as-of date and the portfolio of ${name} in the summary of the run`, () => {
      expect(run.summary).to.include(asOf);
      if (portfolio !== undefined) expect(run.summary).to.include(portfolio);
    });

    it(`have an existing run kind for ${name} that no other report kind has`, () => {
      expect(Object.keys(runs)).to.include(run.key);
      const same = reportKindNames.filter((other) => reportKinds[other].run.key === run.key);
      expect(same).to.deep.equal([name]);
    });

    it(`have one to three headline figures for ${name}`, () => {
      expect(run.headline).to.have.length.within(1, 3);
    });
  }
});
