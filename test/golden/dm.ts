import { type Alternative, dieboldMariano } from '#lib/numerics/comparison/diebold-mariano.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const TOLERANCE = 1e-10;

/**
 * Compares Diebold-Mariano tests with a file of errors and results. Throws a `GoldenFileError` on an
 * unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  const file = parseGoldenFile(contents);
  const errors = asMembers(file['errors'], 'errors');
  for (const [at, value] of asList(file['results'], 'results').entries()) {
    const entry = asMembers(value, `results[${at}]`);
    const name = `${asText(entry['name'], `results[${at}].name`)}[${at}]`;
    const series = seriesOf(errors, entry['name'] as string);
    if (series === undefined) {
      tally.note(`${name} has no errors in the file`);
      continue;
    }
    const of = asMembers(series, `errors of ${name}`);
    const [first, second] = ['e1', 'e2'].map((side) =>
      asList(of[side], name).map((each) => asNumber(each, name)),
    );
    tally.case();
    const found = dieboldMariano(first!, second!, {
      horizon: asNumber(entry['h'], name),
      power: asNumber(entry['power'], name) as 1 | 2,
      variance: asText(entry['varestimator'], name) as 'acf' | 'bartlett',
      alternative: asText(entry['alternative'], name) as Alternative,
    });
    tally.equal(`${name}.is_defined`, entry['error'] === undefined, found.ok);
    if (!found.ok || entry['error'] !== undefined) continue;
    tally.number(`${name}.statistic`, asNumber(entry['statistic'], name), found.statistic, TOLERANCE);
    tally.number(`${name}.p`, asNumber(entry['p'], name), found.p, TOLERANCE);
  }
  return tally.report;
}

/**
 * Returns the forecast errors of a case. Cases that differ only in the horizon (`_h2`) may share their
 * errors.
 */
function seriesOf(errors: Members, name: string): unknown {
  return errors[name] ?? errors[name.replace(/_h\d+$/, '')];
}
