import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment, type Em } from '#lib/database/base.ts';
import { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import {
  conflictDecisions,
  type ConflictDecision,
  type ConflictResolution,
  type ConflictVerdict,
  type EvidenceSubject,
} from '#lib/governance/evidence-conflict.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type RefusalCode = Extract<ConflictVerdict, { ok: false }>['code'];

const refusals: Record<RefusalCode, string> = {
  conflict_resolved: 'the conflict was decided already',
  resolver_not_independent: 'who owns or answers for an application that offered a side of it cannot decide',
  transition_not_allowed: 'the record has ended; its conflicts can only be kept aside',
  conflicts_open: 'other evidence contradicts the record as well: decide that first',
};

/** How conflicts about one kind of record are told and decided. */
export type ConflictedRecords<Decided extends { ok: true; conflict: EvidenceConflict }> = {
  subject: EvidenceSubject;
  what: string;
  descriptions: Readonly<Record<ConflictDecision, string>>;
  resolve(em: Em, resolution: ConflictResolution): Promise<Decided | Refused>;
  /** What the audit log tells of a decision beside the conflict. */
  entry(decided: Decided): Readonly<Record<string, string | null>>;
  /** What the command answers beside the conflict. */
  answer(decided: Decided): Readonly<Record<string, unknown>>;
};

type Refused = { conflict: EvidenceConflict } & Extract<ConflictVerdict, { ok: false }>;

/** Adds `conflicts` and `resolve keep|supersede` to the commands of a kind of record. */
export function registerConflicts<Decided extends { ok: true; conflict: EvidenceConflict }>(
  group: Command,
  records: ConflictedRecords<Decided>,
): void {
  withJson(group.command('conflicts'))
    .description(`list the contradicting ${records.what} that waits for a person`)
    .requiredOption('--workspace <uid>')
    .option('--environment <environment>', environments.join(' or '), 'sandbox')
    .action(async (options: OutputOptions & { workspace: string; environment: Environment }) =>
      printRows(await openConflicts(records.subject, options), options),
    );
  const resolve = group.command('resolve').description('decide a conflict, as a person of neither side');
  for (const decision of conflictDecisions) {
    withPerson(withJson(resolve.command(`${decision} <conflict>`)))
      .description(records.descriptions[decision])
      .requiredOption('--reason <text>', 'why; it is kept with the conflict')
      .action((uid: string, options: ResolveOptions) => decide(records, uid, decision, options));
  }
}

type ResolveOptions = OutputOptions & GovernedOptions & { reason: string };

async function decide<Decided extends { ok: true; conflict: EvidenceConflict }>(
  records: ConflictedRecords<Decided>,
  uid: string,
  decision: ConflictDecision,
  options: ResolveOptions,
): Promise<void> {
  const reason = checkText('--reason', options.reason);
  const find = (em: Em) =>
    em.findOne(EvidenceConflict, { uid, subjectType: records.subject }, { filters: false });
  const about = { find, code: 'conflict_unknown', what: 'conflict' };
  const decided = await onRecordAs(about, options, async (em, { uid: person }) => {
    const now = systemClock.now();
    const change = await records.resolve(em, { conflict: uid, decision, person, reason, now });
    const told = change.ok ? records.entry(change) : {};
    await recordDecision(em, change, { person, decision, reason, told });
    return change;
  });
  if (!decided.ok) throw new Refusal(decided.code, refusals[decided.code]);
  print({ uid, state: decided.conflict.state, ...records.answer(decided) }, options);
}

/** The contradicting evidence about records of one kind that waits for a person. */
async function openConflicts(
  subjectType: EvidenceSubject,
  { workspace, environment }: { workspace: string; environment: Environment },
) {
  const open = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        return em.find(EvidenceConflict, { state: 'open', subjectType }, { orderBy: { uid: 'asc' } });
      },
      environment,
    ),
  );
  return open.map(({ uid, subjectUid, kind, differing, timesOffered, offeredAt }) => ({
    uid,
    [`${subjectType}_uid`]: subjectUid,
    kind,
    differing,
    times_offered: timesOffered,
    offered_at: offeredAt.toISOString(),
  }));
}

/** Writes what was decided about a conflict, or refused, into the audit log of its tenant. */
async function recordDecision(
  em: Em,
  change: { conflict: EvidenceConflict } & ({ ok: true } | { ok: false; code: RefusalCode }),
  about: {
    person: string;
    decision: ConflictDecision;
    reason: string;
    told: Readonly<Record<string, string | null>>;
  },
): Promise<void> {
  const { conflict } = change;
  const { person, decision, reason, told } = about;
  await record(em, {
    op: `${conflict.subjectType}.conflict_resolved`,
    by: person,
    workspace: conflict.workspaceUid,
    environment: conflict.environment,
    subject: { type: conflict.subjectType, uid: conflict.subjectUid },
    ...(change.ok ? {} : { refused: change.code }),
    details: { conflict_uid: conflict.uid, decision, reason, ...told },
  });
}
