import { proveInclusion } from '#lib/audit/tree.query.ts';
import type { Em } from '#lib/database/base.ts';
import { controls, resultOf, testControl, type Tested } from '#lib/trust/controls.ts';
import type { ControlFinding } from '#lib/trust/evidence-pack.ts';
import { entriesOf, historyOf, testSeals, type Span } from '#lib/trust/log-facts.query.ts';

/**
 * Tests every control on a span of the log. `size` is the size of the log, for the proofs. The log is read
 * once for all controls.
 */
export async function testControls(em: Em, span: Span, size: number): Promise<ControlFinding[]> {
  const entries = await entriesOf(
    em,
    span,
    controls.flatMap(({ ops }) => ops),
  );
  const compared = controls.map((control) => ({
    control,
    population: entries.filter(({ op }) => control.ops.includes(op)),
    before: control.check.kind === 'person' ? [] : control.check.before,
  }));
  const followers = compared.filter(({ before }) => before.length > 0);
  const history = await historyOf(em, size, {
    subjects: [...new Set(followers.flatMap(({ population }) => population.map(({ subject }) => subject)))],
    ops: followers.flatMap(({ before }) => before),
  });
  const findings: ControlFinding[] = [];
  for (const { control, population } of compared) {
    findings.push(await present(em, size, control, testControl(control, population, history)));
  }
  findings.push(await present(em, size, sealedResults, await testSeals(em, span)));
  return [...findings, logIntegrity(size)];
}

const sealedResults = {
  key: 'results_sealed',
  title: 'Stored results match their seals',
  statement: 'Every stored result of a run has the seal that the log records.',
};

/**
 * Returns the finding about the integrity of the log itself, which always passes: the log was recomputed
 * before, and a difference would have prevented the pack.
 */
function logIntegrity(size: number): ControlFinding {
  return {
    key: 'log_integrity',
    title: 'The log is complete and unchanged',
    statement: 'Every entry since the first entry matches its stored hash, and the tree has the stored root.',
    population: size,
    tested: size,
    passed: size,
    failed: 0,
    not_evaluated: 0,
    result: resultOf({ failed: 0, not_evaluated: 0, tested: size }),
    observation_refs: [],
    inclusion_proofs: [],
  };
}

async function present(
  em: Em,
  size: number,
  { key, title, statement }: Pick<ControlFinding, 'key' | 'title' | 'statement'>,
  { observed, ...counts }: Tested,
): Promise<ControlFinding> {
  const proofs = [];
  for (const { index, leafHash } of observed) {
    proofs.push({ index, leaf_hash: leafHash, path: await proveInclusion(em, index, size) });
  }
  return {
    key,
    title,
    statement,
    ...counts,
    result: resultOf(counts),
    observation_refs: observed.map(({ index }) => index),
    inclusion_proofs: proofs,
  };
}
