import { asList, asMembers, asText, parseGoldenFile } from './golden-file.ts';
import { problemChecks } from './optimizer/problems.ts';
import { universeOf } from './optimizer/universe.ts';
import { type Report, Tally } from './report.ts';

/**
 * Compares portfolios with the results of other solvers. Each case of the file has a universe of returns and
 * a list of problems, and the name of a problem selects its check. Throws a `GoldenFileError` on an
 * unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  asList(file['cases'], 'cases').forEach((value, at) => {
    const universe = universeOf(asMembers(value, `cases[${at}]`), `cases[${at}]`);
    asList(asMembers(value, `cases[${at}]`)['results'], 'results').forEach((result, place) => {
      const name = `cases[${at}].results[${place}]`;
      const problem = asMembers(result, name);
      const kind = asText(problem['problem'], `${name}.problem`);
      const compare = problemChecks[kind];
      if (!compare) {
        tally.note(`${name}: ${kind} is not known`);
        return;
      }
      tally.case();
      try {
        compare({ tally, universe, problem, name: `${name} ${kind}` });
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        tally.fail(name, 'a result', error.message);
      }
    });
  });
  for (const [member, value] of Object.entries(file)) {
    if (!known.has(member)) tally.note(`section ${member} is not known (${typeof value})`);
  }
  return tally.report;
}

const known = new Set(['kind', 'solvers', 'conventions', 'tolerance', 'cases']);
