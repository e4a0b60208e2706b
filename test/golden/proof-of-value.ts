import { parseFraction, type Fraction } from '#lib/core/decimal.ts';
import { judgeRuns, type JudgedRuns } from '#lib/workflows/proof-of-value/judge-runs.ts';
import { directions, statistics } from '#lib/workflows/proof-of-value/proof-states.ts';
import { asList, asMembers, asNumber, asText, parseGoldenFile, type Members } from './golden-file.ts';
import { GoldenFileError, Tally, type Report } from './report.ts';

const TOLERANCE = 1e-9;

/**
 * Compares the judgement of runs with a file of terms, runs and clocks. Values are compared as exact rationals, bounds
 * of shares and coverages within a relative 1e-9. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const members = asMembers(value, `cases[${at}]`);
    tally.case();
    compare(tally, asText(members['name'], 'name'), judged(members), asMembers(members['expect'], 'expect'));
  }
  return tally.report;
}

function judged(members: Members): JudgedRuns {
  const window = asMembers(members['window'], 'window');
  const target = asMembers(members['target'], 'target');
  const runs = asList(members['runs'], 'runs').map((each) => {
    const { state, ended_at, value } = asMembers(each, 'run');
    return {
      state: asText(state, 'state'),
      endedAt: new Date(asText(ended_at, 'ended_at')),
      value: value === null ? null : asText(value, 'value'),
    };
  });
  const terms = {
    statistic: oneOf(statistics, members['statistic'], 'statistic'),
    target: {
      value: fraction(asText(target['value'], 'target'), 'target'),
      direction: oneOf(directions, target['direction'], 'direction'),
    },
    minimumRuns: asNumber(members['minimum_runs'], 'minimum_runs'),
    window: { from: new Date(asText(window['from'], 'from')), to: new Date(asText(window['to'], 'to')) },
  };
  return judgeRuns(terms, runs, new Date(asText(members['now'], 'now')));
}

function compare(tally: Tally, name: string, found: JudgedRuns, expected: Members): void {
  const plain = {
    n: found.n,
    runs_left_out: found.leftOut,
    unmeasured: found.unmeasured,
    state: found.state,
    verdict: found.verdict,
  };
  for (const [member, value] of Object.entries(plain)) {
    if (member in expected) tally.equal(`${name}.${member}`, expected[member], value);
  }
  const withheld = found.withheld === 'unmeasured_share' ? found.withheld : undefined;
  tally.equal(`${name}.withheld`, expected['withheld'], withheld);
  if ('estimate' in expected)
    tally.equal(`${name}.estimate`, textOf(expected['estimate']), shown(found.estimate));
  compareInterval(tally, name, found, expected);
}

function compareInterval(
  tally: Tally,
  name: string,
  { interval, coverage }: JudgedRuns,
  expected: Members,
): void {
  tally.equal(`${name}.has_interval`, 'interval' in expected, interval !== null);
  if (!interval || !('interval' in expected)) return;
  const bounds = asList(expected['interval'], 'interval');
  for (const [at, bound] of [interval.lower, interval.upper].entries()) {
    const about = `${name}.interval[${at}]`;
    if (typeof bound === 'number') tally.number(about, asNumber(bounds[at], about), bound, TOLERANCE);
    else tally.equal(about, textOf(bounds[at]), shown(bound));
  }
  if ('coverage' in expected)
    tally.number(`${name}.coverage`, asNumber(expected['coverage'], 'coverage'), coverage ?? 0, TOLERANCE);
}

/** Returns a rational such as `125/2` or `62.5` in lowest terms. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  const [above = '', below = '1'] = asText(value, 'a rational').split('/');
  const [numerator, denominator] = [fraction(above, 'a rational'), fraction(below, 'a rational')];
  return shown({
    numerator: numerator.numerator * denominator.denominator,
    denominator: numerator.denominator * denominator.numerator,
  });
}

function shown(value: Fraction | null): string | null {
  if (value === null) return null;
  const divisor = greatestDivisor(value.numerator, value.denominator);
  return `${value.numerator / divisor}/${value.denominator / divisor}`;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

function fraction(text: string, name: string): Fraction {
  const value = parseFraction(text);
  if (!value) throw new GoldenFileError(`${name} is not a decimal`);
  return value;
}

function oneOf<const T extends string>(all: readonly T[], value: unknown, name: string): T {
  const found = all.find((each) => each === value);
  if (found === undefined) throw new GoldenFileError(`${name} must be one of ${all.join(', ')}`);
  return found;
}
