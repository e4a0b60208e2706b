import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { kinds } from './kinds.ts';
import { isExhaustive } from '../support/repetitions.ts';
import { GoldenFileError, type Report } from './report.ts';

const directory = import.meta.dirname;
const files = readdirSync(directory).filter((name) => name.endsWith('.json'));

/**
 * Files that are compared member by member only in an exhaustive test run. This comparison shows where a result
 * differs. Every test run compares the hashes of these files, which `factors_index.json` contains.
 */
const inDetail = new Set(isExhaustive ? [] : ['factors_A.json', 'factors_D.json']);

/**
 * Files whose values agree only within a tolerance, because they were computed with another `exp` and another
 * order of summation.
 */
const nearly: Readonly<
  Record<string, { within: number; cases: number; comparisons: number; notes?: readonly RegExp[] }>
> = {
  'anomaly.json': { within: 1e-9, cases: 6, comparisons: 3663 },
  'backtests.json': { within: 1e-9, cases: 11, comparisons: 11197 },
  'dm.json': { within: 1e-10, cases: 81, comparisons: 243, notes: [/^identical\[79\] has no errors/] },
  'drift_multivariate.json': { within: 1e-11, cases: 1, comparisons: 59 },
  'drift_univariate.json': {
    within: 1e-12,
    cases: 21,
    comparisons: 1129,
    notes: [/\.ks_p_asymp is not known$/, /^constant_.*\.welch_[tp] is not known$/],
  },
  'experiment.json': { within: 1e-12, cases: 10, comparisons: 3440 },
  'mcs.json': { within: 1e-12, cases: 7, comparisons: 24 },
  'reconciliation.json': { within: 1e-11, cases: 8, comparisons: 3272 },
  'tournament.json': { within: 1e-11, cases: 4, comparisons: 205 },
  'optimizer.json': { within: 1e-5, cases: 48, comparisons: 520 },
  'overfitting.json': { within: 1e-12, cases: 3, comparisons: 302 },
  'portfolio_pypfopt.json': { within: 1e-8, cases: 12, comparisons: 247 },
  'portfolio_riskfolio.json': { within: 1e-9, cases: 6, comparisons: 125 },
  'portfolio_sp25.json': {
    within: 1e-9,
    cases: 19,
    comparisons: 488,
    notes: [/^section backtest is not known$/],
  },
  'proof_of_value.json': { within: 1e-13, cases: 37, comparisons: 385 },
  'prediction.json': { within: 1e-6, cases: 36, comparisons: 1505 },
  'regime.json': { within: 1e-9, cases: 9, comparisons: 465 },
  'risk_metrics.json': {
    within: 1e-12,
    cases: 11,
    comparisons: 508,
    notes: [/ has no value in the file$/, /^total loss at the end\.\w+ differs between the sources$/],
  },
  'simulation.json': { within: 1e-12, cases: 10, comparisons: 64 },
  'scenario_e2e.json': {
    within: 1e-12,
    cases: 6,
    comparisons: 388,
    notes: [/^gauss_stress1\.factor_9\.(skew|kurt_excess): all values are equal$/],
  },
  'xva.json': {
    within: 1e-13,
    cases: 14,
    comparisons: 123,
    notes: [/^ore_example_1\.published\.F[BC]A is not known$/],
  },
};

describe('golden files', function () {
  for (const file of files.filter((name) => !Object.hasOwn(nearly, name) && !inDetail.has(name))) {
    it(`${file} matches to the bit`, async () => {
      const report = await checkFile(join(directory, file));
      expect(report.failures).to.deep.equal([]);
      expect(report.notes).to.deep.equal([]);
      expect(report.worst).to.equal(undefined);
      expect(report.comparisons).to.be.greaterThan(0);
    });
  }

  for (const [file, { within, cases, comparisons, notes = [] }] of Object.entries(nearly)) {
    it(`${file} matches within ${within}, apart from listed values`, async () => {
      const report = await checkFile(join(directory, file));
      expect(report.failures).to.deep.equal([]);
      expect(report.worst?.relative ?? 0).to.be.below(within);
      expect(report).to.include({ cases, comparisons });
      expect(report.notes.filter((note) => !notes.some((known) => known.test(note)))).to.deep.equal([]);
    });
  }

  it('exist for every kind of golden file', () => {
    expect(new Set(files.map(kindOf))).to.deep.equal(
      new Set(Object.keys(kinds).filter((kind) => !kind.startsWith('qlm'))),
    );
  });
});

describe('golden philox', () => {
  const whole = JSON.parse(readFileSync(join(directory, 'philox.json'), 'utf8'));

  it('accepts a file with only some sections, and vectors with only some results', async () => {
    const report = await checkPhilox({
      streams: [{ seed: 1, sample: 0, domain: 1, block: 0, words: whole.streams[54].words }],
      ln: [{ x: 10, ln: 2.302585092994046 }],
      inverse_normal: [{ p: 0.9, scipy_ppf: 1.2815515655446004 }],
      bulk: [{ seed: 7, domain: 2, samples: 1000, dims: 3, sum: 154.4456646030844 }],
    });
    expect(report.failures).to.deep.equal([]);
    expect(report).to.include({ cases: 4, comparisons: 4 });
  });

  it('finds one wrong bit in every section', async () => {
    for (const [section, member] of [
      ['kat', 'out'],
      ['streams', 'words'],
      ['streams', 'u52'],
      ['streams', 'normal'],
      ['streams', 'normal_dec'],
      ['bulk', 'sha256_f64le_sample_major'],
      ['bulk', 'sum_sequential_hex'],
      ['bulk', 'min'],
      ['chi2_even_nu', 'chi2_hex'],
      ['chi2_even_nu', 't_scale_sqrt_nu_over_chi2_hex'],
      ['inverse_normal', 'z_hex'],
      ['ln', 'ln_hex'],
      ['exp', 'exp_hex'],
    ] as const) {
      const vector = whole[section][1];
      const report = await checkPhilox({ [section]: [{ ...vector, [member]: spoilt(vector[member]) }] });
      expect(report.failures, `${section}.${member}`).to.have.length(1);
      expect(report.failures[0]!.name).to.match(
        new RegExp(`^${section}\\[0\\]\\.${member.replace('_dec', '')}`),
      );
    }
  });

  it('reports the comparison with the largest relative difference', async () => {
    const report = await checkPhilox({
      ln: [
        { x: 2, ln: 0.7 },
        { x: 10, ln: 2.3 },
      ],
    });
    expect(report.worst).to.deep.include({ name: 'ln[0].ln' });
    expect(report.worst!.absolute).to.be.closeTo(0.0068528, 1e-7);
    expect(report.worst!.relative).to.be.closeTo(0.0068528 / 0.7, 1e-7);
  });

  it('counts a refused seed as a failure', async () => {
    const report = await checkPhilox({ streams: [{ seed: 2 ** 53, words: ['0', '0', '0', '0'] }] });
    expect(report.failures.map(({ actual }) => actual)).to.deep.equal([
      'seed must be an integer from 0 to 9007199254740991, got 9007199254740992',
    ]);
  });

  it('reports content of an unknown kind as a note', async () => {
    const report = await checkPhilox({ sobol: [], ln: [{ x: 1, log10: 0 }] });
    expect(report.notes).to.deep.equal(['section sobol is not known', 'ln[0] holds no result that is known']);
    expect(report).to.include({ cases: 0, comparisons: 0 });
  });

  it('rejects unreadable vectors', async () => {
    for (const broken of [
      { ln: 3 },
      { ln: [3] },
      { ln: [{ x_hex: '12', ln: 0 }] },
      { kat: [{ ctr: ['g'], key: [] }] },
    ]) {
      expect(await refusalOf(checkPhilox(broken)), JSON.stringify(broken)).to.be.instanceOf(GoldenFileError);
    }
  });
});

describe('the check of golden overfitting', () => {
  const whole = JSON.parse(readFileSync(join(directory, 'overfitting.json'), 'utf8'));
  const checkCases = async (cases: object[]) =>
    (await kinds['overfitting']!()).check(JSON.stringify({ cases }), directory);

  it('finds one combination too many, a wrong count and a wrong number', async () => {
    const spoiled = structuredClone(whole.cases[1]);
    spoiled.pbo[0].pbo += 1 / spoiled.pbo[0].combinations;
    spoiled.pbo[0].chosen_counts[3] += 1;
    spoiled.pbo[0].degradation_slope *= 1 + 1e-8;
    spoiled.dsr_population_moments *= 1 - 1e-8;
    const { failures } = await checkCases([spoiled]);
    expect(failures.map(({ name }) => name.split('.').at(-1))).to.have.members([
      'pbo',
      'chosen_counts[3]',
      'degradation_slope',
      'dsr_population_moments',
    ]);
  });

  it('reports members that the check does not know, and members without a value', async () => {
    const report = await checkCases([{ ...whole.cases[2], pbo: [], hansen: 1, psr_vs_0: null }]);
    expect(report.failures).to.deep.equal([]);
    expect(report.notes).to.deep.equal([
      'one good trial of 9, 240 months.psr_vs_0 has no value in the file',
      'one good trial of 9, 240 months.hansen is not known',
    ]);
  });
});

describe('the check of golden factors', () => {
  const path = join(directory, 'factors_small.json');
  const small = JSON.parse(readFileSync(path, 'utf8'));
  let place: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'assay-golden-'));
  });

  afterEach(() => rmSync(place, { recursive: true }));

  it('finds a wrong number, a wrong hash, a wrong text and a missing member', async () => {
    const spoiled = structuredClone(small);
    spoiled.canonical_sha256 = spoilt(spoiled.canonical_sha256);
    spoiled.result.factors[1].stats.mean += 1e-12;
    spoiled.result.symbols[3] = 'NOBODY';
    spoiled.result.months.pop();
    spoiled.specific_returns.AAPL[0] = null;
    const report = await checkFactors(spoiled);
    expect(report.failures.map(({ name }) => name)).to.have.members([
      'canonical_sha256',
      'result.symbols[3]',
      'result.factors[1].stats.mean',
      'result.months.length',
      'specific_returns.AAPL[0]',
    ]);
    expect(report.worst!.name).to.equal('result.factors[1].stats.mean');
    expect(report.worst!.absolute).to.be.closeTo(1e-12, 1e-15);
  });

  it('compares only the members of the result that the golden file has', async () => {
    const { prices, taxonomy, result } = small;
    const part = { prices, taxonomy, request: result.request, result: { excluded_factors: ['housing'] } };
    expect(await checkFactors(part)).to.deep.include({ cases: 1, comparisons: 1, failures: [] });
  });

  it('fails if only the file or only the model refuses a request', async () => {
    const { prices, taxonomy, result } = small;
    const early = { ...result.request, as_of_date: '2018-04-01' };
    const refused = await checkFactors({ prices, taxonomy, request: early, canonical_sha256: '' });
    expect(refused.failures.map(({ actual }) => actual.split(':')[0])).to.deep.equal([
      'taxonomy_unavailable',
    ]);
    const solved = await checkFactors({
      prices,
      taxonomy,
      refusals: [{ request: result.request, reason: 'taxonomy_unavailable', http_status: 503 }],
    });
    expect(solved.failures.map(({ name }) => name)).to.deep.equal([
      'refusals[0].reason',
      'refusals[0].http_status',
    ]);
  });

  it('checks the reason and the status of a refusal', async () => {
    const { prices, taxonomy, result } = small;
    const request = { ...result.request, as_of_date: '2018-04-01' };
    const right = { request, reason: 'taxonomy_unavailable', http_status: 503 };
    const wrong = { request, reason: 'market_history_insufficient', http_status: 422 };
    const report = await checkFactors({ prices, taxonomy, refusals: [right, wrong] });
    expect(report.cases).to.equal(2);
    expect(report.failures.map(({ name }) => name)).to.deep.equal([
      'refusals[1].reason',
      'refusals[1].http_status',
    ]);
  });

  it('finds data files in a directory above the golden file, compressed or not', async () => {
    writeMarket(place, small, { compressed: true });
    const inner = join(place, 'cases', 'more');
    mkdirSync(inner, { recursive: true });
    const { prices: _prices, taxonomy: _taxonomy, ...rest } = small;
    const inputs = { prices: 'data/market/prices_monthly.csv', taxonomy: 'data/market/taxonomy.csv' };
    const report = await checkFactors({ ...rest, inputs }, join(inner, 'factors_other.json'));
    expect(report.failures).to.deep.equal([]);
    expect(report.comparisons).to.be.greaterThan(1000);
  });

  // The draft has the highest version and a date before the as-of date, so only its status excludes it.
  it('never selects a draft of taxonomy_versions.csv', async () => {
    const draft = { ...small.taxonomy[0], version: '2018.2-draft', published_at: '2018-06-01T00:00:00Z' };
    writeMarket(place, { ...small, taxonomy: [...small.taxonomy, draft] }, { drafts: ['2018.2-draft'] });
    const { prices: _prices, taxonomy: _taxonomy, ...rest } = small;
    const report = await checkFactors(rest, join(place, 'factors_other.json'));
    expect(report.failures).to.deep.equal([]);
  });

  it('rejects a file whose data files do not exist', async () => {
    const file = {
      request: small.result.request,
      inputs: { prices: 'no/such.csv', taxonomy: 'no/such_either.csv' },
    };
    expect(await refusalOf(checkFactors(file)))
      .to.be.instanceOf(GoldenFileError)
      .with.property('message')
      .match(/no\/such/);
  });

  it('rejects unreadable data', async () => {
    const { result, prices, taxonomy } = small;
    for (const broken of [
      { result, prices: { AAPL: [['2018-01-31', 5]] }, taxonomy },
      {
        result,
        prices,
        taxonomy: [
          { version: 'x', published_at: '2018-01-01', rows: [{ theme: 'a', symbol: 'A', exposure: 2 }] },
        ],
      },
      { result: {}, prices, taxonomy },
    ]) {
      expect(await refusalOf(checkFactors(broken))).to.be.instanceOf(GoldenFileError);
    }
  });
});

describe('golden collateral margin', () => {
  const whole = JSON.parse(readFileSync(join(directory, 'collateral_margin.json'), 'utf8'));

  it('finds an error of one minor unit in every amount, a wrong direction and a wrong decimal', async () => {
    // Integers of this case exceed 2^53, so the test computes with BigInt.
    const { input, expected, expected_decimal } = whole.cases[18];
    for (const [member, value] of Object.entries<string | number>(expected)) {
      const wrong = member === 'direction' ? 'pay' : String(BigInt(value) + 1n);
      const report = await checkMargin({ cases: [{ input, expected: { ...expected, [member]: wrong } }] });
      expect(report.failures.map(({ name }) => name)).to.deep.equal([`cases[0].expected.${member}`]);
    }
    const decimals = { ...expected_decimal, margin_call: '12.340' };
    const report = await checkMargin({ cases: [{ input, expected_decimal: decimals }] });
    expect(report.failures.map(({ name }) => name)).to.deep.equal(['cases[0].expected_decimal.margin_call']);
  });

  it('checks expected and unexpected refusals', async () => {
    const { input, expected } = whole.cases[0];
    const unstated = { ...input, threshold_minor: null };
    const right = { input: unstated, expected: { refusal: 'threshold_not_stated' } };
    const wrong = [
      { input: unstated, expected },
      { input, expected: { refusal: 'threshold_not_stated' } },
    ];
    const report = await checkMargin({ cases: [right, ...wrong] });
    expect(report.failures.map(({ name }) => name)).to.deep.equal([
      'cases[1].refusal',
      'cases[2].expected.refusal',
    ]);
  });

  it('reports unknown content and amounts that are not exact integers', async () => {
    const { input } = whole.cases[0];
    const unknown = await checkMargin({ cases: [{ input, expected: { haircut_minor: 0 } }] });
    expect(unknown.notes).to.deep.equal(['cases[0].expected.haircut_minor is not known']);
    for (const mtm_minor of [0.5, 2 ** 53, '1.0', null, '0x10']) {
      const report = checkMargin({ cases: [{ input: { ...input, mtm_minor } }] });
      expect(await refusalOf(report), String(mtm_minor)).to.be.instanceOf(GoldenFileError);
    }
  });
});

describe('golden xva', () => {
  const whole = JSON.parse(readFileSync(join(directory, 'xva.json'), 'utf8'));

  it('finds a relative error of 1e-12 in any number and a one-cent error in a published amount', async () => {
    const off = (value: number) => value * (1 + 1e-11) + 1e-11;
    const [profile] = whole.profiles;
    for (const member of Object.keys(profile.first_to_default)) {
      const first_to_default = {
        ...profile.first_to_default,
        [member]: off(profile.first_to_default[member]),
      };
      const report = await checkXva({ profiles: [{ ...profile, first_to_default }] });
      expect(report.failures.map(({ name }) => name)).to.deep.equal([
        `profiles[0].first_to_default.${member}`,
      ]);
    }
    for (const [section, members] of Object.entries({
      normal_exposure: ['epe', 'ene', 'pfe95', 'pfe97_5'],
      threshold_exposure: ['expected_exposure_after_collateral'],
      mpor_exposure: ['expected_exposure'],
    })) {
      for (const member of members) {
        const entry = whole[section][1];
        const report = await checkXva({ [section]: [{ ...entry, [member]: off(entry[member]) }] });
        expect(report.failures.map(({ name }) => name)).to.deep.equal([`${section}[0].${member}`]);
      }
    }
    const { ore_example_1 } = structuredClone(whole);
    ore_example_1.published.CVA += 0.01;
    ore_example_1.published.DVA -= 0.01;
    const names = (await checkXva({ ore_example_1 })).failures.map(({ name }) => name);
    expect(names).to.deep.equal(['ore_example_1.published.CVA', 'ore_example_1.published.DVA']);
  });

  it('reports unknown content and an unreadable file', async () => {
    const [entry] = whole.normal_exposure;
    const report = await checkXva({ kva: 1, normal_exposure: [{ ...entry, pfe99: 1 }] });
    expect(report.notes).to.deep.equal(['section kva is not known', 'normal_exposure[0].pfe99 is not known']);
    for (const broken of [{ profiles: {} }, { normal_exposure: [{ mean: '0' }] }, { ore_example_1: {} }]) {
      expect(await refusalOf(checkXva(broken)), JSON.stringify(broken)).to.be.instanceOf(GoldenFileError);
    }
  });

  it('counts an invalid profile as a failure', async () => {
    const [profile] = structuredClone(whole.profiles);
    profile.profile.times[3] = profile.profile.times[2];
    const report = await checkXva({ profiles: [profile] });
    expect(report.failures.map(({ actual }) => actual)).to.deep.equal(['the times of a profile must ascend']);
  });
});

describe('golden runner', function () {
  it('exits 0 and prints cases, worst difference and failures', () => {
    const { status, stdout, stderr } = run('philox', join(directory, 'philox.json'));
    expect(stderr).to.equal('');
    expect(stdout).to.match(/^cases: \d+\nvalues compared: \d+\nworst difference: 0\nfailures: 0\n$/);
    expect(status).to.equal(0);
  });

  it('exits 1 on a failure, prints the expected and the actual value, and caps the list', () => {
    withFile({ ln: Array.from({ length: 30 }, () => ({ x: 2, ln: 0.7 })) }, (path) => {
      const { status, stdout } = run('philox', path);
      expect(status).to.equal(1);
      expect(stdout).to.contain(
        'failures: 30\n  ln[0].ln\n    expected 0.7\n    actual   0.6931471805599453\n',
      );
      expect(stdout)
        .to.contain('ln[19].ln')
        .and.to.contain('and 10 more failures')
        .and.not.to.contain('ln[20].ln');
    });
  });

  it('exits 2 on wrong usage', () => {
    for (const args of [
      [],
      ['philox'],
      ['sobol', 'x.json'],
      ['toString', 'x.json'],
      ['philox', 'a.json', 'b.json'],
    ]) {
      const { status, stdout, stderr } = run(...args);
      expect([status, stdout], args.join(' ')).to.deep.equal([2, '']);
      expect(stderr).to.match(/usage: npm run golden -- <kind> <file>/);
    }
  });

  it('exits 2 on a file that is missing, is not JSON, or has nothing to compare', () => {
    expect(run('philox', join(directory, 'no-such.json'))).to.deep.include({ status: 2, stdout: '' });
    expect(run('philox', join(directory, 'SOURCES.md')).stderr).to.match(/not JSON/);
    expect(run('philox', join(directory, 'SOURCES.md')).status).to.equal(2);
    withFile({ what: 'nothing' }, (path) => {
      expect(run('philox', path)).to.deep.include({ status: 2, stdout: '' });
      expect(run('philox', path).stderr).to.match(/nothing to compare/);
    });
  });
});

async function checkFile(path: string): Promise<Report> {
  const { check } = await kinds[kindOf(path.slice(directory.length + 1))]!();
  return check(readFileSync(path, 'utf8'), path);
}

async function checkPhilox(file: object): Promise<Report> {
  const { check } = await kinds['philox']!();
  return check(JSON.stringify(file), 'inline.json');
}

async function checkFactors(file: object, path = 'inline.json'): Promise<Report> {
  const { check } = await kinds['factors']!();
  return check(JSON.stringify(file), path);
}

async function checkMargin(file: object): Promise<Report> {
  const { check } = await kinds['collateral_margin']!();
  return check(JSON.stringify(file), 'inline.json');
}

async function checkXva(file: object): Promise<Report> {
  const { check } = await kinds['xva']!();
  return check(JSON.stringify(file), 'inline.json');
}

async function refusalOf(report: Promise<Report>): Promise<unknown> {
  return report.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function kindOf(file: string): string {
  return Object.keys(kinds).find((kind) => file.startsWith(kind)) ?? file;
}

/** Returns the same kind of value with its last digit changed. */
function spoilt(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.slice(0, -1), spoilt(value.at(-1))];
  if (typeof value === 'number') return value * (1 + 2 ** -52);
  const text = String(value);
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

/**
 * Writes the inline data of a golden file as separate data files, which is how a user from outside the project has the
 * data.
 */
function writeMarket(
  place: string,
  {
    prices,
    taxonomy,
  }: {
    prices: Record<string, [string, string][]>;
    taxonomy: {
      version: string;
      published_at: string;
      rows: { theme: string; symbol: string; exposure: number }[];
    }[];
  },
  { compressed = false, drafts = [] }: { compressed?: boolean; drafts?: string[] },
): void {
  const market = join(place, 'data', 'market');
  mkdirSync(market, { recursive: true });
  const write = (name: string, lines: string[]) => {
    const text = `${lines.join('\n')}\n`;
    writeFileSync(join(market, compressed ? `${name}.gz` : name), compressed ? gzipSync(text) : text);
  };
  const observations = Object.entries(prices).flatMap(([symbol, series]) =>
    series.map(([date, price]) => `${symbol},${date},1,${price},0`),
  );
  const exposures = taxonomy.flatMap(({ version, published_at, rows }) =>
    rows.map(({ theme, symbol, exposure }) => [version, published_at, theme, symbol, exposure].join(',')),
  );
  const statuses = taxonomy.map(
    ({ version }) => `${version},${drafts.includes(version) ? 'draft' : 'published'}`,
  );
  write('prices_monthly.csv', ['symbol,date,close,adj_close,volume', ...observations]);
  write('taxonomy.csv', ['version,published_at,theme,symbol,exposure', ...exposures]);
  write('taxonomy_versions.csv', ['version,status', ...statuses]);
}

function withFile(contents: object, use: (path: string) => void): void {
  const place = mkdtempSync(join(tmpdir(), 'assay-golden-'));
  try {
    const path = join(place, 'case.json');
    writeFileSync(path, JSON.stringify(contents));
    use(path);
  } finally {
    rmSync(place, { recursive: true });
  }
}

function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(directory, 'run.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
