import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ParameterValues } from './parameters.ts';
import type { StepState, WorkflowRunState } from './run-states.ts';

const WorkflowRunSchema = defineEntity({
  name: 'WorkflowRun',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    admissionUid: p.text(),
    versionUid: p.text(),
    workflowKey: p.text(),
    /** The application for which the pipeline runs of the steps are counted. */
    applicationUid: p.text(),
    requestedByUid: p.text(),
    parameters: p.json<ParameterValues>(),
    inputsHash: p.text(),
    state: p.text().$type<WorkflowRunState>(),
    errorCode: p.text().nullable(),
    /** SHA-256 of a JSON object (RFC 8785) with the output hash of each step, keyed by step. */
    outputsHash: p.text().nullable(),
    createdAt: p.datetime(),
    deadlineAt: p.datetime(),
    startedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** A run of a version of a workflow. */
export class WorkflowRun extends WorkflowRunSchema.class {}
WorkflowRunSchema.setClass(WorkflowRun);

const WorkflowStepSchema = defineEntity({
  name: 'WorkflowStep',
  filters: tenantFilter,
  properties: {
    runUid: p.text().primary(),
    position: p.integer().primary(),
    ...tenantColumns,
    key: p.text(),
    state: p.text().$type<StepState>(),
    attempts: p.integer(),
    /** The time before which the step is not retried; null if the step may be retried at any time. */
    notBefore: p.datetime().nullable(),
    /** The pipeline run of the latest attempt of the step. */
    jobUid: p.text().nullable(),
    output: p.json<Record<string, unknown>>().nullable(),
    outputHash: p.text().nullable(),
    errorCode: p.text().nullable(),
    /** The person who approved the step. */
    decidedByUid: p.text().nullable(),
    startedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** A step of a run of a workflow. */
export class WorkflowStep extends WorkflowStepSchema.class {}
WorkflowStepSchema.setClass(WorkflowStep);
