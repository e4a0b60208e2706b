import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { findRecord } from '#lib/governance/governed/governed-record.query.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { fieldNames, fields, type Field, type FieldName } from '#lib/governance/policy/fields.ts';
import { operatorsOf } from '#lib/governance/policy/operators.ts';
import { findDecisionAnywhere, listDecisions } from '#lib/governance/policy/policy-decision.query.ts';
import { replayDecision } from '#lib/governance/policy/policy-decision.write.ts';
import { policyKind, testPolicy, type PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import { readBody, registerGovernedKind, withPlace } from '../shell/governed-kind.ts';
import { invalidBody } from '#lib/governance/refusal.ts';
import { ask } from '../shell/operator.ts';
import { askIn } from '../shell/ask.ts';
import { limitOption, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { Refusal } from '#lib/core/refusal.ts';

const DECISIONS_USUAL = 50;

type TestOptions = OutputOptions & { file?: string; cases?: string };
type ListOptions = OutputOptions & Tenant & { subject?: string; limit: number };

export function register(program: Command): void {
  const group = registerGovernedKind(program, 'policy', policyKind as unknown as GovernedKind);
  withJson(group.command('test [uid]'))
    .description(
      'run the test cases of a version, or of a draft in a file; exits with status 1 if a case fails',
    )
    .option('--file <file>', 'the terms of a draft as a JSON object; - for stdin')
    .option('--cases <file>', 'a JSON list of cases to run instead of the cases of the version')
    .action(test);
  withJson(group.command('fields'))
    .description('list the fields that conditions can use, and their operators')
    .action((options: OutputOptions) => printRows(fieldNames, options, describeField));
  withPlace(withJson(group.command('decisions')))
    .description('list the decisions of the policies, newest first')
    .option('--subject <uid>', 'only decisions about this record')
    .addOption(limitOption(DECISIONS_USUAL))
    .action(decisions);
  withJson(group.command('explain <decision>'))
    .description('explain a decision: its rules, the failed conditions with the nearest bound, and errors')
    .action(explain);
  withJson(group.command('replay <decision>'))
    .description(
      'recompute a decision from its stored record; if the result differs, print the differences and exit with status 1',
    )
    .action(replay);
}

async function test(uid: string | undefined, options: TestOptions): Promise<void> {
  if ((uid === undefined) === (options.file === undefined)) {
    throw new Refusal('one_policy', 'give either the uid of a version or --file');
  }
  const record =
    uid === undefined ? await fromFile(options.file!) : await ask('everywhere', findRecord, policyKind, uid);
  if (!record) throw new Refusal('record_unknown', `there is no policy ${uid}`);
  const body = { ...(record.body as PolicyBody) };
  if (options.cases !== undefined) body.cases = (await readBody(options.cases)) as PolicyBody['cases'];
  const tested = testPolicy({ ...record, body });
  if (!tested.ok) throw invalidBody(tested.faults);
  const { outcomes } = tested;
  printRows(outcomes, options, ({ name, expected, got, ok }) => ({ case: name, expected, got, ok }));
  const failed = outcomes.filter(({ ok }) => !ok).length;
  if (failed > 0) throw new Refusal('case_failed', `${failed} of ${outcomes.length} cases failed`);
}

async function fromFile(file: string) {
  const body = (await readBody(file)) as Record<string, unknown>;
  return { uid: 'pol', key: 'draft', version: 1, name: 'draft', body };
}

function describeField(name: FieldName) {
  const { type, values, description }: Field = fields[name];
  return { field: name, type, operators: operatorsOf[type], values: values ?? null, description };
}

async function decisions(options: ListOptions): Promise<void> {
  const { workspace, environment, subject, limit } = options;
  const found = await askIn({ workspace, environment }, listDecisions, { subject, limit });
  printRows(found, options, ({ uid, at, subjectType, subjectUid, effect, explanation, shadow }) => ({
    uid,
    at: at.toISOString(),
    subject: `${subjectType} ${subjectUid}`,
    effect,
    default: explanation.default,
    rules: explanation.determining.map(({ rule_key }) => rule_key),
    errors: explanation.errors.length,
    in_shadow: shadow?.decision.effect ?? null,
  }));
}

async function explain(uid: string, options: OutputOptions): Promise<void> {
  const found = await ask('everywhere', findDecisionAnywhere, uid);
  if (!found) throw unknownDecision(uid);
  const { at, subjectType, subjectUid, input, explanation, shadow } = found;
  const subject = { type: subjectType, uid: subjectUid };
  print({ uid, at: at.toISOString(), subject, ...explanation, input, shadow: shadow ?? null }, options);
}

async function replay(uid: string, options: OutputOptions): Promise<void> {
  const replayed = await ask('everywhere', replayDecision, uid);
  if (!replayed) throw unknownDecision(uid);
  const { intact, differences, recorded } = replayed;
  const { effect, policySetHash, inputHash } = recorded;
  print({ uid, intact, effect, policy_set_hash: policySetHash, input_hash: inputHash, differences }, options);
  if (!intact)
    throw new Refusal('decision_differs', `the replayed decision differs in ${differences.join(', ')}`);
}

function unknownDecision(uid: string): Refusal {
  return new Refusal('decision_unknown', `there is no decision ${uid}`);
}
