import { formatMajor } from '#lib/core/money.ts';
import { type MarginStatement, marginStatement } from '#lib/investment/collateral/collateral-margin.ts';
import { type Members, asInteger, asList, asMembers, asText, parseGoldenFile } from './golden-file.ts';
import { type Report, Tally } from './report.ts';

const names: Readonly<Record<string, keyof MarginStatement>> = {
  credit_support_amount: 'creditSupportAmountMinor',
  shortfall: 'shortfallMinor',
  margin_call: 'marginCallMinor',
  return_leg: 'returnLegMinor',
  delivery_leg: 'deliveryLegMinor',
  balance_after: 'balanceAfterMinor',
  exposure_before: 'exposureBeforeMinor',
  exposure_after: 'exposureAfterMinor',
  negative_exposure_after: 'negativeExposureAfterMinor',
  replacement_cost_margined: 'replacementCostMarginedMinor',
};

/**
 * Compares margin statements with the `cases` of a file: `{name, input, expected, expected_decimal}`. `input`
 * has the terms and the position in minor units; by default `open_margin_minor` is 0 and `rounding_minor` is
 * 1. `expected` has amounts in minor units and the `direction`, or the code of a `refusal`.
 * `expected_decimal` has amounts in major units. Integers beyond 2^53 are texts. Throws a `GoldenFileError`
 * on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [index, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${index}]`);
    const label = entry['name'] === undefined ? '' : ` (${asText(entry['name'], `cases[${index}].name`)})`;
    checkCase(tally, entry, `cases[${index}]${label}`);
  }
  return tally.report;
}

function checkCase(tally: Tally, entry: Members, name: string): void {
  tally.case();
  const input = asMembers(entry['input'], `${name}.input`);
  const expected = asMembers(entry['expected'] ?? {}, `${name}.expected`);
  const decimals = asMembers(entry['expected_decimal'] ?? {}, `${name}.expected_decimal`);
  const outcome = marginStatement(termsOf(input, `${name}.input`), positionOf(input, `${name}.input`));
  if (!outcome.ok) {
    tally.equal(`${name}.refusal`, expected['refusal'], outcome.refusal.code);
    return;
  }
  for (const [member, value] of Object.entries(expected)) {
    const at = `${name}.expected.${member}`;
    const amount = names[member.replace(/_minor$/, '')];
    if (member === 'refusal') tally.equal(at, value, 'a statement');
    else if (member === 'direction') tally.equal(at, value, outcome.statement.direction);
    else if (amount && member.endsWith('_minor'))
      tally.equal(at, String(asInteger(value, at)), String(outcome.statement[amount]));
    else tally.note(`${at} is not known`);
  }
  for (const [member, value] of Object.entries(decimals)) {
    const at = `${name}.expected_decimal.${member}`;
    const amount = names[member];
    const scale = Number(asInteger(input['amount_scale'], `${name}.input.amount_scale`));
    if (amount) tally.equal(at, value, formatMajor(outcome.statement[amount] as bigint, scale));
    else tally.note(`${at} is not known`);
  }
}

function termsOf(input: Members, name: string) {
  const amount = (member: string) => asInteger(input[member], `${name}.${member}`);
  return {
    agreementType: asText(input['agreement_type'], `${name}.agreement_type`),
    thresholdMinor: input['threshold_minor'] === null ? null : amount('threshold_minor'),
    minimumTransferMinor: amount('minimum_transfer_minor'),
    independentAmountMinor: amount('independent_amount_minor'),
  };
}

function positionOf(input: Members, name: string) {
  const amount = (member: string, absent?: bigint) => asInteger(input[member] ?? absent, `${name}.${member}`);
  return {
    markToMarketMinor: amount('mtm_minor'),
    collateralBalanceMinor: amount('collateral_balance_minor'),
    openMarginMinor: amount('open_margin_minor', 0n),
    roundingMinor: amount('rounding_minor', 1n),
  };
}
