import Value from 'typebox/value';
import { problems } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { PriceSeries } from '#lib/investment/theme-factors/month-end-prices.ts';
import { selectTaxonomyVersion } from '#lib/data/taxonomy.ts';
import { ThemeFactorsRequest } from '#lib/investment/theme-factors/theme-factors.request.ts';
import { type ThemeFactorsOutcome, themeFactors } from '#lib/investment/theme-factors/theme-factors.ts';
import { type Members, asList, asMembers, asNumber, asText, parseGoldenFile } from './golden-file.ts';
import { type TaxonomyVersion, findDataFile, micro, readPrices, readTaxonomy } from './market-files.ts';
import { type Report, Tally } from './report.ts';

type Market = { prices: PriceSeries[]; taxonomy: TaxonomyVersion[] };
type Solved = Extract<ThemeFactorsOutcome, { ok: true }>;

const defaultInputs = { prices: 'data/market/prices_monthly.csv', taxonomy: 'data/market/taxonomy.csv' };

/**
 * Members that describe the run, or that contain results of another implementation. Such members are not
 * compared.
 */
const prose = new Set(['note', 'spec', 'case', 'check', 'independent_check', 'inputs', 'what']);
const runs = new Set(['request', 'prices', 'cases', 'refusals']);

/**
 * Runs the theme factor model on the requests of a golden file and compares the results; numbers must be
 * equal. A file has one or more of three forms: one run with its data inside (`prices`, `taxonomy`), one run
 * on data files (`inputs`), and many runs (`cases`, `refusals`). Only the members in the file are compared; a
 * hash in the file covers the other members. Throws a `GoldenFileError` on an unreadable file, and if its
 * data files are not found.
 */
export function check(contents: string, path: string): Report {
  const file = parseGoldenFile(contents);
  const market = marketOf(file, path);
  const tally = new Tally();
  if (file['request'] !== undefined || file['result'] !== undefined)
    checkRun(tally, market, { run: file, name: '' });
  for (const [name, run] of Object.entries(asMembers(file['cases'] ?? {}, 'cases'))) {
    checkRun(tally, market, { run: asMembers(run, name), name });
  }
  for (const [index, run] of asList(file['refusals'] ?? [], 'refusals').entries()) {
    const name = `refusals[${index}]`;
    checkRun(tally, market, { run: asMembers(run, name), name });
  }
  return tally.report;
}

/** Compares one run: `request` (or `result.request`) with its expected results. */
function checkRun(tally: Tally, market: Market, { run, name }: { run: Members; name: string }): void {
  tally.case();
  const request = requestOf(run, name);
  const outcome = attempt(request, market);
  const reason = run['reason'];
  if (reason !== undefined) {
    checkRefusal(tally, { run, name, reason: asText(reason, at(name, 'reason')), outcome });
  } else if (typeof outcome === 'string') {
    tally.fail(at(name, 'result'), 'a result', outcome);
  } else if (!outcome.ok) {
    tally.fail(at(name, 'result'), 'a result', `${outcome.refusal.code}: ${outcome.refusal.detail}`);
  } else {
    checkResult(tally, { run, name, outcome });
  }
}

function checkRefusal(
  tally: Tally,
  {
    run,
    name,
    reason,
    outcome,
  }: { run: Members; name: string; reason: string; outcome: ThemeFactorsOutcome | string },
): void {
  const code = typeof outcome === 'string' ? outcome : outcome.ok ? 'a result' : outcome.refusal.code;
  tally.equal(at(name, 'reason'), reason, code);
  if (run['http_status'] === undefined) return;
  const status = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems].status : undefined;
  tally.equal(at(name, 'http_status'), run['http_status'], status);
}

function checkResult(
  tally: Tally,
  { run, name, outcome }: { run: Members; name: string; outcome: Solved },
): void {
  const { result, specificReturns } = outcome;
  const answers: Members = {
    result,
    specific_returns: specificReturns,
    canonical_sha256: canonicalHash(result),
    market_sha256: result.market_data.sha256,
    taxonomy_sha256: result.taxonomy.sha256,
    taxonomy: result.taxonomy.version,
    symbols: result.symbols.length,
    factors: result.factors.length,
    exposure_mode: outcome.exposureMode,
  };
  for (const [member, expected] of Object.entries(run)) {
    if (prose.has(member) || runs.has(member)) continue;
    if (member === 'taxonomy' && typeof expected !== 'string') continue;
    if (Object.hasOwn(answers, member)) compare(tally, at(name, member), expected, answers[member]);
    else tally.note(`${at(name, member)} is not known`);
  }
}

/** Compares every member that the file has. The hash of the result covers the other members. */
function compare(tally: Tally, name: string, expected: unknown, actual: unknown): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    tally.number(name, expected, actual);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) tally.equal(`${name}.length`, expected.length, actual.length);
    else expected.forEach((each, index) => compare(tally, `${name}[${index}]`, each, actual[index]));
  } else if (isObject(expected) && isObject(actual)) {
    for (const [member, each] of Object.entries(expected))
      compare(tally, `${name}.${member}`, each, actual[member]);
  } else {
    tally.equal(name, expected, actual);
  }
}

/**
 * Returns the outcome, or the message of the `RangeError` if the data are not valid, such as two prices on a
 * day. Such a message is not a refusal.
 */
function attempt(request: ThemeFactorsRequest, { prices, taxonomy }: Market): ThemeFactorsOutcome | string {
  try {
    return themeFactors(request, { prices, taxonomy: selectTaxonomyVersion(taxonomy, request.as_of_date) });
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

/** Returns the request of a run, with the defaults of the operation for omitted members. */
function requestOf(run: Members, name: string): ThemeFactorsRequest {
  const given = run['request'] ?? asMembers(run['result'] ?? {}, at(name, 'result'))['request'];
  const request = Value.Default(ThemeFactorsRequest, { ...asMembers(given, at(name, 'request')) }) as Members;
  const numbers = [
    'history_months',
    'ridge_lambda',
    'minimum_symbols_per_factor',
    'max_factors',
    'max_symbols',
  ];
  asText(request['as_of_date'], at(name, 'request.as_of_date'));
  for (const member of numbers) asNumber(request[member], at(name, `request.${member}`));
  // The lines above have checked each member of the request.
  return request as ThemeFactorsRequest;
}

/** Returns the data inside the file, or else the data files that it names. */
function marketOf(file: Members, path: string): Market {
  const { prices, taxonomy } = file;
  const inputs: Members = { ...defaultInputs, ...asMembers(file['inputs'] ?? {}, 'inputs') };
  const pathOf = (member: string) => findDataFile(asText(inputs[member], `inputs.${member}`), path);
  return {
    prices: prices === undefined ? readPrices(pathOf('prices')) : inlinePrices(asMembers(prices, 'prices')),
    taxonomy: Array.isArray(taxonomy) ? taxonomy.map(inlineVersion) : readTaxonomy(pathOf('taxonomy')),
  };
}

/** Reads `{symbol: [[date, price], ...]}`, with the price as its decimal text. */
function inlinePrices(prices: Members): PriceSeries[] {
  return Object.entries(prices).map(([symbol, observations]) => ({
    symbol,
    observations: asList(observations, `prices.${symbol}`).map((observation) => {
      const [date, price] = asList(observation, `prices.${symbol}`);
      return { date: asText(date, `prices.${symbol}`), price: asText(price, `prices.${symbol}`) };
    }),
  }));
}

/**
 * Reads `{version, published_at, status?, rows: [{theme, symbol, exposure}]}`. A version without a status is
 * published.
 */
function inlineVersion(value: unknown, index: number): TaxonomyVersion {
  const name = `taxonomy[${index}]`;
  const { version, published_at, status, rows } = asMembers(value, name);
  return {
    version: asText(version, `${name}.version`),
    publishedAt: asText(published_at ?? '', `${name}.published_at`),
    status: asText(status ?? 'published', `${name}.status`),
    exposures: asList(rows, `${name}.rows`).map((row) => {
      const { theme, symbol, exposure } = asMembers(row, `${name}.rows`);
      return {
        theme: asText(theme, `${name}.rows`),
        symbol: asText(symbol, `${name}.rows`),
        micro: micro(exposure),
      };
    }),
  };
}

function at(name: string, member: string): string {
  return name === '' ? member : `${name}.${member}`;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
