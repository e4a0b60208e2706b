import { discloseCells, quantiles, type Cell } from '#lib/benchmarking/disclosure.ts';
import { parseExact } from '#lib/benchmarking/exact.ts';
import { type Members, asList, asMembers, asText, parseGoldenFile } from './golden-file.ts';
import { GoldenFileError, type Report, Tally } from './report.ts';

/**
 * Compares the disclosure rules of benchmarks with a file of cases. The file does not cover the rule about linear
 * combinations of cells, so that rule is left out. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const members = asMembers(value, `cases[${at}]`);
    tally.case();
    checkCase(tally, asText(members['name'], `cases[${at}].name`), members);
  }
  return tally.report;
}

function checkCase(tally: Tally, name: string, members: Members): void {
  const cells = discloseCells({
    contributions: asList(members['contributors'], name).map((each) => {
      const { workspace, group, value, weight } = asMembers(each, name);
      return {
        workspace: asText(workspace, name),
        group: asText(group, name),
        value: exact(value, name),
        weight: exact(weight, name),
      };
    }),
    cohorts: asList(members['cohorts'], name).map((each) => {
      const { key, members: inside } = asMembers(each, name);
      return { key: asText(key, name), members: new Set(texts(inside, name)) };
    }),
    published: asList(members['published'] ?? [], name).map((each) => {
      const { key, groups } = asMembers(each, name);
      return { key: asText(key, name), groups: texts(groups, name) };
    }),
    pPercent: exact(members['p_percent'], name),
    withholdsCombinations: false,
  });
  const expect = asMembers(members['expect'], `${name}.expect`);
  const expected = asList(expect['cells'], `${name}.expect.cells`);
  tally.equal(`${name}.cells.length`, expected.length, cells.length);
  for (const [at, each] of expected.entries()) checkCell(tally, name, asMembers(each, name), cells[at]!);
  if (Object.keys(asMembers(expect['readers'] ?? {}, name)).length > 0) {
    tally.note(`${name}.readers is not known`);
  }
}

function checkCell(tally: Tally, caseName: string, expected: Members, cell: Cell): void {
  const name = `${caseName}.${asText(expected['cohort'], caseName)}`;
  tally.equal(`${name}.cohort`, expected['cohort'], cell.cohort);
  tally.equal(`${name}.suppressed`, expected['suppressed'], cell.reason !== null);
  tally.equal(`${name}.operator_reason`, expected['operator_reason'], cell.reason);
  const told = cell.reason === null || cell.reason === 'no_data' ? cell.reason : 'confidential';
  tally.equal(`${name}.suppression_reason`, expected['suppression_reason'], told);
  tally.equal(`${name}.contributors_at_least`, expected['contributors_at_least'], cell.contributorsAtLeast);
  tally.equal(`${name}.operator_pooled_reason`, expected['operator_pooled_reason'], cell.pooledReason);
  checkNumber(tally, `${name}.pooled`, expected['pooled'], cell.pooled);
  tally.equal(`${name}.has_distribution`, expected['distribution'] !== null, cell.distribution !== null);
  if (expected['distribution'] === null || cell.distribution === null) return;
  const values = asMembers(expected['distribution'], name);
  for (const each of quantiles) checkNumber(tally, `${name}.${each}`, values[each], cell.distribution[each]);
}

function checkNumber(tally: Tally, name: string, expected: unknown, actual: string | null): void {
  const numberOf = (value: unknown) => (value === null ? null : Number(value));
  tally.equal(name, numberOf(expected), numberOf(actual));
}

function texts(value: unknown, name: string): string[] {
  return asList(value, name).map((each) => asText(each, name));
}

function exact(value: unknown, name: string) {
  const parsed = parseExact(asText(value, name));
  if (!parsed) throw new GoldenFileError(`${name}: ${JSON.stringify(value)} is not a decimal`);
  return parsed;
}
