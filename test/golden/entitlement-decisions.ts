import { decideDataUse, type DataUse, type Entitlement } from '#lib/data/rights/decide.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { asList, asMembers, asText, parseGoldenFile } from './golden-file.ts';
import { Tally, type Report } from './report.ts';

/**
 * Compares decisions about uses of data with the cases of a file: each has `entitlements`, a `request` and the members
 * to `expect`. Throws a `GoldenFileError` on an unreadable file.
 */
export function check(contents: string, _path: string): Report {
  const tally = new Tally();
  for (const [at, value] of asList(parseGoldenFile(contents)['cases'], 'cases').entries()) {
    const entry = asMembers(value, `cases[${at}]`);
    const name = `cases[${at}] (${asText(entry['name'] ?? '', `cases[${at}].name`)})`;
    const entitlements = asList(entry['entitlements'], `${name}.entitlements`) as Entitlement[];
    const use = asMembers(entry['request'], `${name}.request`) as DataUse;
    const decision: Record<string, unknown> = decideDataUse(entitlements, use);
    tally.case();
    for (const [member, expected] of Object.entries(asMembers(entry['expect'], `${name}.expect`))) {
      tally.equal(`${name}.${member}`, canonicalJson(expected), canonicalJson(decision[member] ?? null));
    }
  }
  return tally.report;
}
