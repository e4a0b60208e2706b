import { defineEntity, p } from '@mikro-orm/core';
import type { Seal } from '#lib/core/seal.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { QueueName } from '#lib/core/run.ts';
import type { HeadlineFigure } from './headline.ts';
import type { RunState } from './run.ts';

const RunSchema = defineEntity({
  name: 'Run',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    kind: p.text(),
    state: p.text().$type<RunState>(),
    /** Share of the work done, 0 to 1. */
    progress: p.float(),
    attempts: p.integer(),
    modelKey: p.text(),
    modelVersion: p.text(),
    input: p.json<Record<string, unknown>>(),
    /** The members of the input that are shown in lists. The database sets this column if the statement omits it. */
    summary: p.json<Record<string, unknown>>().nullable(),
    inputHash: p.text(),
    /** The revisions of the datasets at the submission, by dataset id. The run reads only these revisions. */
    datasetRevisions: p.json<Record<string, number>>(),
    requestId: p.text(),
    problem: p.json<StoredProblem>().nullable(),
    createdAt: p.datetime(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});

/** The durable record of one run. The record is authoritative: the queue contains only the uid of the run. */
export class Run extends RunSchema.class {}
RunSchema.setClass(Run);

const RunResultSchema = defineEntity({
  name: 'RunResult',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    /** The members of the resource that the seal covers. */
    members: p.json<Record<string, unknown>>(),
    resultHash: p.text(),
    seal: p.json<Seal>(),
    /** Content that is stored with the run and returned on request. The seal covers the hashes of this content. */
    attachments: p.json<Record<string, unknown>>(),
    /** The figures that are shown in lists; null for a run that was sealed without them. */
    headline: p.json<HeadlineFigure[]>().nullable(),
  },
});

/** The sealed result of a succeeded run. A run has exactly one result, even if it was delivered several times. */
export class RunResult extends RunResultSchema.class {}
RunResultSchema.setClass(RunResult);

const DispatchSchema = defineEntity({
  name: 'Dispatch',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    kind: p.text(),
    queue: p.text().$type<QueueName>(),
    /** Position of the run in the queue; null before the run is admitted. */
    tag: p.integer().nullable(),
    admittedAt: p.datetime().nullable(),
    startedAt: p.datetime().nullable(),
    /** The attempt that `startedAt` belongs to; null before the first start. */
    attempt: p.integer().nullable(),
    /** For a divided run: the latest round whose parts were queued, and the first sample of this round. */
    round: p.integer().nullable(),
    roundFirst: p.integer().nullable(),
    createdAt: p.datetime(),
    /** Whether the run has a lower priority than all other runs of its workspace. */
    background: p.boolean().default(false),
    /** Size of the run's input in bytes, as it was sent. */
    inputBytes: p.integer().default(0),
  },
});

/**
 * The dispatch record of an unfinished run. Such a run must have a live queue job. The record contains no customer
 * data, because workers see the dispatch records of all tenants.
 */
export class Dispatch extends DispatchSchema.class {}
DispatchSchema.setClass(Dispatch);
