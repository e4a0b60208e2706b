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
    /** The members of the input that lists show. The database fills it in if the statement does not. */
    summary: p.json<Record<string, unknown>>().nullable(),
    inputHash: p.text(),
    /** The revisions of the datasets that were current on submission. The run may only ever read these. */
    datasetRevisions: p.json<Record<string, number>>(),
    requestId: p.text(),
    problem: p.json<StoredProblem>().nullable(),
    createdAt: p.datetime(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});

/** The durable record of one piece of heavy work. It is authoritative; the queue only contains its uid. */
export class Run extends RunSchema.class {}
RunSchema.setClass(Run);

const RunResultSchema = defineEntity({
  name: 'RunResult',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    ...tenantColumns,
    /** The members that the seal covers. */
    members: p.json<Record<string, unknown>>(),
    resultHash: p.text(),
    seal: p.json<Seal>(),
    /** Stored with the run and returned on request. The seal covers their hashes. */
    attachments: p.json<Record<string, unknown>>(),
    /** The figures that lists show; null for a run that was sealed without them. */
    headline: p.json<HeadlineFigure[]>().nullable(),
  },
});

/** The sealed result of a succeeded run. A run has one, whatever the number of deliveries. */
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
    /** Its position in the queue, once it is admitted. */
    tag: p.integer().nullable(),
    admittedAt: p.datetime().nullable(),
    startedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Whether all other runs of its workspace have priority over it. */
    background: p.boolean().default(false),
    /** Bytes of the run's input, as it was sent. */
    inputBytes: p.integer().default(0),
  },
});

/**
 * An unfinished run, which must have a live queue job. It contains no customer data, because workers see all
 * of them.
 */
export class Dispatch extends DispatchSchema.class {}
DispatchSchema.setClass(Dispatch);
