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
    /** The assessment that found the drift. The next column is the hash of its seal. */
    assessmentUid: p.text(),
    sealHash: p.text(),
    /**
     * The author of the version. The next column is the person accountable for the application that requested the
     * assessment.
     */
    authorUid: p.text(),
    requesterUid: p.text(),
    requestedAt: p.datetime(),
    state: p.text().$type<RetrainingState>(),
    reviewedByUid: p.text().nullable(),
    reviewedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    /** The version of the model that the approval created. The next column is the training of this version. */
    trainedVersionUid: p.text().nullable(),
    trainingUid: p.text().nullable(),
  },
});

/** A request to retrain a model. Material drift creates it, and a person approves or rejects it. */
export class RetrainingRequest extends RetrainingRequestSchema.class {}
RetrainingRequestSchema.setClass(RetrainingRequest);
