import type { CrossSection } from '#lib/research/cross-section.ts';
import { experimentSeries } from '#lib/research/experiment.ts';
import { featureFinding } from '#lib/research/experiment-result.ts';
import { withNaN } from '#lib/research/sealed-snapshot.query.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

/**
 * The tolerance. The files were computed with another order of summation; at least twelve digits of every
 * value agree.
 */
const TOLERANCE = 1e-12;

/**
 * Compares the statistics of experiments with a file of cases. Throws a `GoldenFileError` on an unreadable
 * file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const input = asMembers(entry['input'], `cases[${at}].input`);
    tally.case();
    compare(
      tally,
      entry['expected'],
      statistics(input, `cases[${at}].input`),
      asText(entry['name'], `cases[${at}].name`),
    );
  }
  return tally.report;
}

function statistics(input: Members, name: string) {
  const dates = asList(input['dates'], `${name}.dates`).map((each, at) =>
    crossSection(each, `${name}.dates[${at}]`),
  );
  const lags = asNumber(input['newey_west_lags'], `${name}.newey_west_lags`);
  const { features, correlations } = experimentSeries(
    dates,
    {
      quantiles: asNumber(input['quantiles'], `${name}.quantiles`),
      minimumEntities: asNumber(input['minimum_entities'], `${name}.minimum_entities`),
    },
    { progress: () => {}, cancelled: () => false },
  );
  const target = {
    feature: 'target',
    version: 1,
    horizons_months: dates[0]!.targets.map((_, at) => at + 1),
    span_months: 1,
  };
  return {
    correlations,
    features: features.map((series) => {
      const found = featureFinding({ feature: 'feature', version: 1 }, series, {
        target,
        newey_west_lags: lags,
      });
      return {
        turnover: series.turnover,
        horizons: series.horizons.map((horizon, at) => ({ ...horizon, statistics: found.horizons[at] })),
      };
    }),
  };
}

function crossSection(value: unknown, name: string): CrossSection {
  const members = asMembers(value, name);
  const columns = (member: string) =>
    asList(members[member], `${name}.${member}`).map((column) =>
      withNaN(asList(column, `${name}.${member}`) as (number | null)[]),
    );
  return {
    entities: asList(members['entities'], `${name}.entities`) as string[],
    features: columns('features'),
    targets: columns('targets'),
  };
}

/** Compares every member that the file has. Additional members of the result are not compared. */
function compare(tally: Tally, expected: unknown, actual: unknown, name: string): void {
  if (Array.isArray(expected)) {
    tally.equal(`${name}.length`, expected.length, (actual as unknown[] | undefined)?.length);
    expected.forEach((each, at) => compare(tally, each, (actual as unknown[])[at], `${name}[${at}]`));
  } else if (typeof expected === 'object' && expected !== null) {
    for (const [member, each] of Object.entries(expected)) {
      compare(tally, each, (actual as Members | undefined)?.[member], `${name}.${member}`);
    }
  } else if (typeof expected === 'number' && typeof actual === 'number') {
    tally.number(name, expected, actual, TOLERANCE);
  } else tally.equal(name, expected, actual);
}
