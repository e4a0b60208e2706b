import { expect } from 'chai';
import { reportKindNames, reportKinds, type ReportKind } from '#lib/investment/reports/report-kinds.query.ts';
import { runs } from '#lib/runs.ts';

describe('the kinds of reports', () => {
  for (const name of reportKindNames) {
    const { run, asOf, portfolio }: ReportKind = reportKinds[name];

    // Lists read the summary of a run, never its input.
    it(`read the day and the portfolio of ${name} from the summary of its run`, () => {
      expect(run.summary).to.include(asOf);
      if (portfolio !== undefined) expect(run.summary).to.include(portfolio);
    });

    it(`list a declared run as ${name}, under no other name`, () => {
      expect(Object.keys(runs)).to.include(run.key);
      const same = reportKindNames.filter((other) => reportKinds[other].run.key === run.key);
      expect(same).to.deep.equal([name]);
    });

    it(`have figures of ${name}`, () => {
      expect(run.headline).to.have.length.within(1, 3);
    });
  }
});
