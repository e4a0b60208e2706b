import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/orm.ts';
import type { ArgumentsShape } from './arguments-shape.ts';
import type { DenialCode, ResultStatus } from './invocation.ts';

/** How long calls are kept. */
export const KEPT_DAYS = 90;

/** One call of a tool as it is recorded. */
export type Invoked = {
  at: Date;
  application: string;
  credential: string;
  tool: { name: string; digest: string } | null;
  protocolVersion: string | null;
  client: { name: string | null; version: string | null };
  denial: DenialCode | null;
  argumentsHash: string;
  argumentsShape: ArgumentsShape;
  result: { status: ResultStatus; hash: string; bytes: number };
  durationMs: number;
  requestId: string;
  traceId: string | null;
};

/** Records a call of a tool in the tenant of the transaction. */
export async function recordInvocation(em: Em, invoked: Invoked): Promise<void> {
  const { tool, client, result, denial } = invoked;
  await sql`
    insert into agent_invocation (uid, workspace_uid, environment, at, application_uid, credential_uid, tool_name,
      schema_digest, protocol_version, client_name, client_version, decision, denial_code, arguments_hash,
      arguments_shape, result_status, result_hash, result_bytes, duration_ms, request_id, trace_id)
    values (${newUid(prefixes.agentInvocation)}, app_workspace(), app_environment(), ${invoked.at},
      ${invoked.application}, ${invoked.credential}, ${tool?.name ?? null}, ${tool?.digest ?? null},
      ${invoked.protocolVersion}, ${client.name}, ${client.version}, ${denial === null ? 'allowed' : 'denied'},
      ${denial}, ${invoked.argumentsHash}, ${JSON.stringify(invoked.argumentsShape)}::jsonb, ${result.status},
      ${result.hash}, ${result.bytes}, ${invoked.durationMs}, ${invoked.requestId}, ${invoked.traceId})
  `.execute(em.getKysely());
}

/** Deletes calls that are older than they are kept. For workers: it looks into all workspaces. */
export async function forgetInvocations(em: Em, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`delete from agent_invocation where at < ${before}`.execute(em.getKysely());
}
