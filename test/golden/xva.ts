import { daysBetween } from '#lib/core/date.ts';
import {
  expectedExposure,
  expectedExposureBelow,
  marginPeriodExposure,
  potentialExposure,
} from '#lib/investment/theme-factors/normal-exposure.ts';
import { type CreditCurve, survivalProbabilities } from '#lib/investment/collateral/survival-curve.ts';
import { valuationAdjustments } from '#lib/investment/collateral/valuation-adjustments.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

/**
 * The tolerance. The files were computed with another `exp` and another order of summation; at least twelve
 * digits of every value agree.
 */
const TOLERANCE = 1e-12;

/** Members that describe a number and are not compared. */
const prose = new Set(['formula', 'source', 'name', 'quantlib_check', 'not_reproduced']);

/**
 * The hazard rate of the counterparty, the credit spread of the institution and the loss given default in the published
 * example of Open Source Risk Engine.
 */
const ORE = { hazard: 0.01, spread: 0.01, lossGivenDefault: 0.6 };

const sections: Record<string, (tally: Tally, value: unknown, name: string) => void> = {
  ore_example_1: (tally, value, name) => checkOre(tally, asMembers(value, name), name),
  profiles: each(checkProfile),
  normal_exposure: each(checkNormal),
  threshold_exposure: each(checkThreshold),
  mpor_exposure: each(checkMarginPeriod),
};

/**
 * Compares valuation adjustments and closed forms of exposure with a file; each section may be absent.
 * Numbers agree to 1e-12, published amounts to their cent. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [section, value] of Object.entries(parseGoldenFile(contents))) {
    const checkSection = Object.hasOwn(sections, section) ? sections[section] : undefined;
    if (checkSection) attempt(tally, section, () => checkSection(tally, value, section));
    else if (!prose.has(section)) tally.note(`section ${section} is not known`);
  }
  return tally.report;
}

/**
 * Compares CVA at the published hazard rate, computed from the published exposures on the published dates. Compares DVA
 * twice: at the hazard rate that the example implies, and by the credit triangle.
 */
function checkOre(tally: Tally, example: Members, name: string): void {
  tally.case();
  const grid = asMembers(example['grid'], `${name}.grid`);
  const dates = asList(grid['date'], `${name}.grid.date`).map((date) => asText(date, `${name}.grid.date`));
  const timesYears = dates.map((date) => daysBetween(dates[0]!, date) / 365);
  const published = numbersOf(grid, 'act365', `${name}.grid`);
  published.forEach((time, index) => tally.number(`${name}.grid.act365[${index}]`, time, timesYears[index]!));
  const profile = {
    timesYears,
    positiveDiscounted: numbersOf(grid, 'epe', `${name}.grid`),
    negativeDiscounted: numbersOf(grid, 'ene', `${name}.grid`),
  };
  const adjust = (own: CreditCurve) =>
    valuationAdjustments(profile, {
      counterpartySurvival: survivalProbabilities(flatHazard(ORE.hazard), timesYears),
      ownSurvival: survivalProbabilities(own, timesYears),
      counterpartyLossGivenDefault: ORE.lossGivenDefault,
      ownLossGivenDefault: ORE.lossGivenDefault,
      borrowSpread: 0,
      lendSpread: 0,
      defaults: 'unilateral',
    });
  const reproduced = asMembers(example['reproduced'], `${name}.reproduced`);
  const implied = adjust(flatHazard(asNumber(reproduced['own_hazard_implied'], `${name}.reproduced`)));
  const triangle = adjust({
    kind: 'spread',
    timesYears: [1],
    spreads: [ORE.spread],
    lossGivenDefault: ORE.lossGivenDefault,
  });
  const actual = {
    CVA: implied.cva,
    DVA_with_own_hazard: implied.dva,
    DVA_credit_triangle: triangle.dva,
  };
  compareNumbers(tally, { expected: reproduced, actual, name: `${name}.reproduced` }, ['own_hazard_implied']);
  const cents = { CVA: toCents(implied.cva), DVA: toCents(implied.dva) };
  const amounts = asMembers(example['published'], `${name}.published`);
  compareNumbers(tally, { expected: amounts, actual: cents, name: `${name}.published` });
}

/**
 * Compares all adjustments, unilateral and until the first default, for undiscounted exposures with flat
 * rates.
 */
function checkProfile(tally: Tally, entry: Members, name: string): void {
  const profile = asMembers(entry['profile'], `${name}.profile`);
  const number = (member: string) => asNumber(profile[member], `${name}.profile.${member}`);
  const timesYears = numbersOf(profile, 'times', `${name}.profile`);
  const discounted = (member: string) =>
    numbersOf(entry, member, name).map((amount, index) => amount * exp(-number('r') * timesYears[index]!));
  for (const defaults of ['unilateral', 'first_to_default'] as const) {
    if (entry[defaults] === undefined) continue;
    const actual = valuationAdjustments(
      {
        timesYears,
        positiveDiscounted: discounted('epe_undiscounted'),
        negativeDiscounted: discounted('ene_undiscounted'),
      },
      {
        counterpartySurvival: survivalProbabilities(flatHazard(number('hazard_counterparty')), timesYears),
        ownSurvival: survivalProbabilities(flatHazard(number('hazard_own')), timesYears),
        counterpartyLossGivenDefault: number('lgd_counterparty'),
        ownLossGivenDefault: number('lgd_own'),
        borrowSpread: asNumber(entry['borrow_spread'], `${name}.borrow_spread`),
        lendSpread: asNumber(entry['lend_spread'], `${name}.lend_spread`),
        defaults,
      },
    );
    const expected = asMembers(entry[defaults], `${name}.${defaults}`);
    compareNumbers(tally, { expected, actual, name: `${name}.${defaults}` });
  }
}

function checkNormal(tally: Tally, entry: Members, name: string): void {
  const value = {
    mean: asNumber(entry['mean'], `${name}.mean`),
    stdev: asNumber(entry['stdev'], `${name}.stdev`),
  };
  const actual = {
    epe: expectedExposure(value),
    ene: expectedExposure({ ...value, mean: -value.mean }),
    pfe95: potentialExposure(value, 0.95),
    pfe97_5: potentialExposure(value, 0.975),
  };
  compareNumbers(tally, { expected: entry, actual, name }, ['mean', 'stdev']);
}

function checkThreshold(tally: Tally, entry: Members, name: string): void {
  const value = { mean: 0, stdev: asNumber(entry['stdev'], `${name}.stdev`) };
  const left = expectedExposureBelow(value, asNumber(entry['threshold'], `${name}.threshold`));
  const actual = { expected_exposure_after_collateral: left };
  compareNumbers(tally, { expected: entry, actual, name }, ['stdev', 'threshold']);
}

function checkMarginPeriod(tally: Tally, entry: Members, name: string): void {
  const number = (member: string) => asNumber(entry[member], `${name}.${member}`);
  const annualStdev = number('annual_stdev');
  const days = number('mpor_days');
  const daysPerYear = number('days_per_year');
  const actual = { expected_exposure: marginPeriodExposure({ annualStdev, days, daysPerYear }) };
  compareNumbers(tally, { expected: entry, actual, name }, ['annual_stdev', 'mpor_days', 'days_per_year']);
}

function each(checkEntry: (tally: Tally, entry: Members, name: string) => void) {
  return (tally: Tally, value: unknown, section: string): void => {
    for (const [index, entry] of asList(value, section).entries()) {
      tally.case();
      checkEntry(tally, asMembers(entry, `${section}[${index}]`), `${section}[${index}]`);
    }
  };
}

/**
 * Compares every member of `expected` that is not an input or a description. A member without a result is
 * reported as not known.
 */
function compareNumbers(
  tally: Tally,
  { expected, actual, name }: { expected: Members; actual: Record<string, number>; name: string },
  inputs: readonly string[] = [],
): void {
  for (const [member, value] of Object.entries(expected)) {
    if (prose.has(member) || inputs.includes(member)) continue;
    const at = `${name}.${member}`;
    const own = Object.hasOwn(actual, member) ? actual[member] : undefined;
    if (own === undefined) tally.note(`${at} is not known`);
    else tally.number(at, asNumber(value, at), own, TOLERANCE);
  }
}

/**
 * Runs a check, and reports invalid input (times that do not ascend, a threshold below 0) as a failure of the
 * section.
 */
function attempt(tally: Tally, name: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tally.fail(name, 'a result', error.message);
  }
}

function flatHazard(hazard: number): CreditCurve {
  return { kind: 'hazard', timesYears: [1], hazards: [hazard] };
}

function numbersOf(entry: Members, member: string, name: string): number[] {
  const at = `${name}.${member}`;
  return asList(entry[member], at).map((value) => asNumber(value, at));
}

function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
