import { defineEntity, p } from '@mikro-orm/core';
import type { Seal } from '#lib/core/seal.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { QueueName } from '#lib/core/run.ts';
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
    /** The members of the input that lists show. The database writes it where nobody does. */
    summary: p.json<Record<string, unknown>>().nullable(),
    inputHash: p.text(),
    /** The revisions of the datasets that were current on submission: what the run may read, for ever. */
    datasetRevisions: p.json<Record<string, number>>(),
    requestId: p.text(),
    problem: p.json<StoredProblem>().nullable(),
    createdAt: p.datetime(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});

/** The durable record of one piece of heavy work. It is the truth; the queue only carries its uid. */
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
    /** Kept with the run and given on request; the seal covers their hashes. */
    attachments: p.json<Record<string, unknown>>(),
  },
});

/** What a succeeded run sealed. There is one for a run, whatever the number of deliveries. */
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
    /** Its turn, once it is admitted to the queue. */
    tag: p.integer().nullable(),
    admittedAt: p.datetime().nullable(),
    startedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Whether it lets all other runs of its workspace go before. */
    background: p.boolean().default(false),
    /** Of the input of the run, as it was sent. */
    inputBytes: p.integer().default(0),
  },
});

/** A run that has not ended and so must have a live queue job. It holds no customer data: workers see all of them. */
export class Dispatch extends DispatchSchema.class {}
DispatchSchema.setClass(Dispatch);
