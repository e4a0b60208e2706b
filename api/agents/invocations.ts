import Type, { type Static } from 'typebox';
import { shapeTypes } from '#lib/agents/arguments-shape.ts';
import type { AgentInvocation } from '#lib/agents/agent-invocation.entity.ts';
import { findInvocations } from '#lib/agents/invocations.query.ts';
import { denialCodes, invocationDecisions, resultStatuses } from '#lib/agents/invocation.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Nullable, pageQuery, RequestId, Sha256Of, Uid } from '#lib/core/schema.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { ToolName } from './tool-name.ts';

const PATH = '/agents/invocations';

const Said = (description: string, example: string) =>
  Nullable(Type.String({ maxLength: 100, examples: [example] }), description);
const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2_147_483_647, description, examples: [12] });
const Decision = Type.Enum([...invocationDecisions], {
  description: 'Whether the call was allowed or denied.',
});

const Invocation = Closed(
  {
    uid: Uid(prefixes.agentInvocation, 'The uid of the call.'),
    at: Instant,
    tool: Nullable(
      Closed(
        { name: ToolName, schema_digest: Sha256Of("Digest of the tool's schemas at the time of the call.") },
        { description: 'The tool.' },
      ),
      'The called tool; null if no tool has the requested name.',
    ),
    protocol_version: Said('The protocol revision in the request.', '2026-07-28'),
    client_info: Nullable(
      Closed(
        {
          name: Said('The name of the client.', 'an-agent'),
          version: Said('The version of the client.', '1.0.0'),
        },
        { description: 'The client.' },
      ),
      'The self-description that the client sent, not verified; null if the client sent none.',
    ),
    caller: Closed(
      {
        application_uid: Uid(prefixes.application, 'The application that made the call.'),
        credential_uid: Type.String({
          maxLength: 50,
          description: 'The credential that the application used.',
          examples: ['key_...'],
        }),
      },
      { description: 'The caller of the tool.' },
    ),
    decision: Decision,
    denial_code: Nullable(
      Type.Enum([...denialCodes], { description: 'The reason for a denial.' }),
      'The reason for a denial; otherwise null.',
    ),
    arguments_hash: Sha256Of('SHA-256 of the RFC 8785 form of the arguments.'),
    arguments_shape: Type.Record(
      Type.String(),
      Type.Enum([...shapeTypes], { description: 'The type of the argument.' }),
      {
        description:
          'The arguments by name and type. An argument that the tool does not define is `(unknown)`.',
        examples: [{ limit: 'integer' }],
      },
    ),
    result: Closed(
      {
        status: Type.Enum([...resultStatuses], { description: 'The outcome of the call.' }),
        hash: Sha256Of('SHA-256 of the text of the answer.'),
        bytes: Count('Size of the text of the answer, in bytes.'),
      },
      { description: 'The answer.' },
    ),
    duration_ms: Count('Milliseconds from the request to the answer.'),
    request_id: RequestId('The id of the request.'),
    trace_id: Nullable(
      Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['0af7651916cd43dd8448eb211c80319c'] }),
      'The trace id that the caller sent (W3C); null if none was sent.',
    ),
  },
  { title: 'AgentInvocation', description: 'A tool call. The arguments and the answer are not stored.' },
);

export const listInvocations = defineOperation({
  key: 'agents.invocations.list',
  product: 'Agents',
  method: 'GET',
  path: PATH,
  scope: 'agents:mcp:read',
  summary: 'Lists the tool calls of agents, newest first.',
  description:
    'Returns every tool call in this workspace and environment, including denied calls. The records contain hashes and types, but no arguments and no answers. Calls are kept for 90 days.',
  query: Closed({
    ...pageQuery,
    tool: Type.Optional({ ...ToolName, description: 'Returns only calls of this tool.' }),
    decision: Type.Optional(Decision),
  }),
  success: { status: 200, description: 'A page of calls.', schema: ListOf(Invocation) },
  problems: ['invalid_cursor'],
  handle({ services, query }) {
    const { tool, decision } = query;
    return listReply(services, query, {
      list: PATH,
      filters: { tool: tool ?? null, decision: decision ?? null },
      rows: (em, page) => findInvocations(em, { tool, decision, ...page }),
      present,
    });
  },
});

function present(call: AgentInvocation): Static<typeof Invocation> {
  return {
    uid: call.uid,
    at: call.at.toISOString(),
    tool: call.toolName == null ? null : { name: call.toolName, schema_digest: call.schemaDigest! },
    protocol_version: call.protocolVersion ?? null,
    client_info:
      call.clientName == null && call.clientVersion == null
        ? null
        : { name: call.clientName ?? null, version: call.clientVersion ?? null },
    caller: { application_uid: call.applicationUid, credential_uid: call.credentialUid },
    decision: call.decision,
    denial_code: call.denialCode as Static<typeof Invocation>['denial_code'],
    arguments_hash: call.argumentsHash,
    arguments_shape: call.argumentsShape,
    result: { status: call.resultStatus, hash: call.resultHash, bytes: call.resultBytes },
    duration_ms: call.durationMs,
    request_id: call.requestId,
    trace_id: call.traceId ?? null,
  };
}
