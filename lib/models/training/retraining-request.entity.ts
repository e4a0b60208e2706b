import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { RetrainingState } from './retraining-review.ts';

const RetrainingRequestSchema = defineEntity({
  name: 'RetrainingRequest',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    modelUid: p.text(),
    versionUid: p.text(),
    checkpointHash: p.text(),
    datasetId: p.integer(),
    datasetRevision: p.integer(),
    /** The assessment that found the drift, and the hash of its seal. */
    assessmentUid: p.text(),
    sealHash: p.text(),
    /** Who wrote the version, and who answers for the application that asked for the assessment. */
    authorUid: p.text(),
    requesterUid: p.text(),
    requestedAt: p.datetime(),
    state: p.text().$type<RetrainingState>(),
    reviewedByUid: p.text().nullable(),
    reviewedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    /** What an approval started: the next version of the model, and its training. */
    trainedVersionUid: p.text().nullable(),
    trainingUid: p.text().nullable(),
  },
});

/** A request to train a model anew, made by material drift and decided by a person. */
export class RetrainingRequest extends RetrainingRequestSchema.class {}
RetrainingRequestSchema.setClass(RetrainingRequest);
