import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { ArgumentsShape } from './arguments-shape.ts';
import type { InvocationDecision, ResultStatus } from './invocation.ts';

const AgentInvocationSchema = defineEntity({
  name: 'AgentInvocation',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    at: p.datetime(),
    applicationUid: p.text(),
    credentialUid: p.text(),
    /** Null, with its digest, if the name is not a tool's. */
    toolName: p.text().nullable(),
    schemaDigest: p.text().nullable(),
    protocolVersion: p.text().nullable(),
    /** The name that the client gives itself. */
    clientName: p.text().nullable(),
    clientVersion: p.text().nullable(),
    decision: p.text().$type<InvocationDecision>(),
    denialCode: p.text().nullable(),
    argumentsHash: p.text(),
    argumentsShape: p.json<ArgumentsShape>(),
    resultStatus: p.text().$type<ResultStatus>(),
    resultHash: p.text(),
    resultBytes: p.integer(),
    durationMs: p.integer(),
    requestId: p.text(),
    traceId: p.text().nullable(),
  },
});

/** One call of a tool by an agent: hashes and types, never content. It never changes. */
export class AgentInvocation extends AgentInvocationSchema.class {}
AgentInvocationSchema.setClass(AgentInvocation);
