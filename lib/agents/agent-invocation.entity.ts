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
    /**
     * The name of the called tool. The name and the digest of the tool's schema are null if the tool does not exist.
     */
    toolName: p.text().nullable(),
    schemaDigest: p.text().nullable(),
    protocolVersion: p.text().nullable(),
    /** The name by which the client identifies itself. Assay does not verify this name. */
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

/** A recorded tool call of an agent. It contains hashes and types, but no content, and never changes. */
export class AgentInvocation extends AgentInvocationSchema.class {}
AgentInvocationSchema.setClass(AgentInvocation);
