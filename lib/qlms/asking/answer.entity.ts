import { defineEntity, p } from '@mikro-orm/core';
import type { Seal } from '#lib/core/seal.ts';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ProviderUsage } from '../provider/turns.ts';
import type { SealedAnswer } from './answer.schema.ts';

const QlmAnswerSchema = defineEntity({
  name: 'QlmAnswer',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    modelUid: p.text(),
    versionUid: p.text(),
    /** The application that asked. */
    applicationUid: p.text(),
    outcome: p.text().$type<SealedAnswer['outcome']>(),
    askedAt: p.datetime(),
    /** The previous answer of the conversation; null for the first question of a conversation. */
    afterUid: p.text().nullable(),
    /** The members that the seal covers. */
    members: p.json<SealedAnswer>(),
    /** The use of a provider; null if no provider was called. */
    providerUsage: p.json<ProviderUsage>().nullable(),
    resultHash: p.text(),
    seal: p.json<Seal>(),
  },
});

/** A sealed answer to a question. It does not contain the text of the question. */
export class QlmAnswer extends QlmAnswerSchema.class {}
QlmAnswerSchema.setClass(QlmAnswer);

const QlmQuestionSchema = defineEntity({
  name: 'QlmQuestion',
  filters: tenantFilter,
  properties: {
    answerUid: p.text().primary(),
    ...tenantColumns,
    applicationUid: p.text(),
    question: p.text(),
    /** The instant after which the text is no longer shown and is deleted. */
    keepUntil: p.datetime(),
  },
});

/** The text of a question. Only the application that asked may read it. */
export class QlmQuestion extends QlmQuestionSchema.class {}
QlmQuestionSchema.setClass(QlmQuestion);
