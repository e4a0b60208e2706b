import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import type { ArgumentsShape } from './arguments-shape.ts';
import type { DenialCode, ResultStatus } from './invocation.ts';

/** Days for which recorded calls are kept. */
export const KEPT_DAYS = 90;

/** One recorded call of a tool. */
export type Invoked = {
  uid: string;
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

/** Records calls of tools in the tenant of the transaction, in one statement. */
export async function recordInvocations(em: Em, calls: readonly Invoked[]): Promise<void> {
  await sql`
    insert into agent_invocation (uid, workspace_uid, environment, at, application_uid, credential_uid, tool_name,
      schema_digest, protocol_version, client_name, client_version, decision, denial_code, arguments_hash,
      arguments_shape, result_status, result_hash, result_bytes, duration_ms, request_id, trace_id)
    select uid, app_workspace(), app_environment(), at, application, credential, tool ->> 'name', tool ->> 'digest',
      "protocolVersion", client ->> 'name', client ->> 'version', case when denial is null then 'allowed' else 'denied' end,
      denial, "argumentsHash", "argumentsShape", result ->> 'status', result ->> 'hash', (result ->> 'bytes')::integer,
      "durationMs", "requestId", "traceId"
    from json_to_recordset(${JSON.stringify(calls)}::json) as call (uid text, at timestamptz, application text,
      credential text, tool json, "protocolVersion" text, client json, denial text, "argumentsHash" text,
      "argumentsShape" jsonb, result json, "durationMs" integer, "requestId" text, "traceId" text)
  `.execute(em.getKysely());
}

/** Deletes calls whose retention period has ended. For workers, across all workspaces. */
export async function forgetInvocations(em: Em, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`delete from agent_invocation where at < ${before}`.execute(em.getKysely());
}
