import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { entryOf, type Noted } from './export-lineage.command.ts';
import { composeResult, storeResult } from './export.write.ts';
import type { Graph } from './graph.ts';
import { isOpen, type ExportRequest, type StoredState } from './lineage-export.ts';
import { LineageExport } from './lineage-export.entity.ts';
import { readGraph } from './read-graph.query.ts';

/** The attempts at an export after which it fails. A process that ends during an attempt has used it up. */
export const ATTEMPTS_MAX = 3;

type Input = { uid: string; scopeOfRun: Readonly<Record<string, string>> };

type Facts = { state: StoredState; attempts: number; graph: Graph | undefined };

type Verdict =
  | { ok: true; graph: Graph }
  | { ok: true; problem: 'subject_unknown' | 'not_built' }
  | { ok: false; code: 'export_ended' };

/** Decides how a queued export ends: ready with its graph, or failed without a subject or after too many attempts. */
export function decideBuild({ state, attempts, graph }: Facts): Verdict {
  if (!isOpen(state)) return { ok: false, code: 'export_ended' };
  if (attempts > ATTEMPTS_MAX) return { ok: true, problem: 'not_built' };
  return graph ? { ok: true, graph } : { ok: true, problem: 'subject_unknown' };
}

/** Builds a queued export from the records that the scopes of its request cover. */
export const buildExport = defineCommand<Input>()({
  find: (em, { uid }) => placeOfRecord(em, LineageExport, uid),
  unknown: 'export_ended',
  lock: (em, { uid }) =>
    em.findOneOrFail(LineageExport, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true }),
  facts: async (em, row, { scopeOfRun }) => ({ row, graph: await graphOf(em, row, scopeOfRun) }),
  decide: ({ row, graph }): Verdict => decideBuild({ state: row.state, attempts: row.attempts, graph }),
  async write(em, { row }, verdict) {
    if (!('graph' in verdict)) {
      Object.assign(row, { state: 'failed', problemCode: verdict.problem });
      return { result: noted(row) };
    }
    const tenant = { workspace: row.workspaceUid, environment: row.environment };
    const result = await composeResult(verdict.graph, requestOf(row), tenant);
    await storeResult(em, row.uid, result);
    return { result: { ...noted(row), ...result } };
  },
  entry: (_facts, verdict, _input, row) => {
    if (!verdict.ok) return undefined;
    const { subjectUid, format } = row!;
    if ('graph' in verdict) return entryOf(row!, { of: subjectUid, format });
    const subject = { type: 'lineage_export', uid: row!.uid };
    return { op: 'lineage_export.failed', subject, details: { of: subjectUid, code: verdict.problem } };
  },
  refusals: { export_ended: 'The export has ended.' },
});

/** Returns the members of an export that its audit entry needs. */
function noted({ uid, subjectUid, format }: LineageExport): Noted {
  return { uid, subjectUid, format };
}

async function graphOf(
  em: Em,
  row: LineageExport,
  scopeOfRun: Input['scopeOfRun'],
): Promise<Graph | undefined> {
  if (!isOpen(row.state) || row.attempts > ATTEMPTS_MAX) return undefined;
  const { subject, direction, depth } = requestOf(row);
  const reader = { scopes: new Set(row.scopes ?? []), scopeOfRun };
  return (await readGraph(em, { uid: subject.uid, direction, depth, reader }))?.graph;
}

function requestOf(row: LineageExport): ExportRequest {
  const { subjectType, subjectUid, direction, depth, granularity, format, pinVersions } = row;
  return {
    subject: { type: subjectType, uid: subjectUid },
    direction,
    depth,
    granularity,
    format,
    pinVersions,
  };
}
