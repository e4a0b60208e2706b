import { shapeOf } from '#lib/agents/arguments-shape.ts';
import type { Invoked } from '#lib/agents/agent-invocation.write.ts';
import type { DenialCode, ResultStatus } from '#lib/agents/invocation.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem, problemBody } from '#lib/core/problem.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { withoutTokens } from '#lib/core/token.ts';
import type { Caller } from '#lib/core/operation.ts';
import type { Tool } from '../derive/tool.ts';
import { ClientGone } from '../http/gone.ts';
import { toProblem } from '../http/problem.ts';
import type { Message } from './message.ts';
import { toolRefusal } from './tool-refusal.ts';

/** The result of a tool call: a structured answer, or a problem in text. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

export type Invocation = {
  caller: Caller;
  services: unknown;
  requestId: string;
  /** Aborted when the agent has disconnected. */
  signal: AbortSignal;
  message: Message;
  /** Records the call. If recording fails, the result of the call is withheld. */
  record(invoked: Invoked): Promise<void>;
  /** Called with unexpected errors, which callers do not see. */
  onError(error: unknown): void;
  now(): Date;
};

/**
 * Calls a tool for a credential. Checks the scope again and checks the arguments. Records the call, whatever
 * its outcome, before answering it. Returns undefined if there is no such tool.
 */
export async function invokeTool(
  tool: Tool | undefined,
  given: unknown,
  invocation: Invocation,
): Promise<ToolResult | undefined> {
  const { caller, requestId, message } = invocation;
  const at = invocation.now();
  const started = performance.now();
  const argumentsHash = hashOf(given ?? {});
  const argumentsShape = shapeOf(given, tool?.members ?? new Set());
  const { result, denial } = await answer(tool, given, invocation);
  const text = result?.content[0]!.text ?? '';
  const status: ResultStatus = !result ? 'protocol_error' : result.isError ? 'tool_error' : 'ok';
  await invocation
    .record({
      uid: newUid(prefixes.agentInvocation),
      at,
      application: caller.application,
      credential: caller.credential,
      tool: tool ? { name: tool.name, digest: tool.digest } : null,
      protocolVersion: message.protocolVersion,
      client: message.client,
      denial,
      argumentsHash,
      argumentsShape,
      result: { status, hash: sha256(text), bytes: Buffer.byteLength(text) },
      durationMs: Math.round(performance.now() - started),
      requestId,
      traceId: message.traceId,
    })
    .catch((error: unknown) => {
      invocation.onError(error);
      throw new Error('The call could not be recorded, so its result is withheld. Retry later.');
    });
  return result;
}

/**
 * Returns the canonical hash of the arguments. A number outside the range of a double has no canonical form.
 * The text of `JSON.stringify` is then hashed instead, so that such a call is recorded too.
 */
function hashOf(given: unknown): string {
  try {
    return canonicalHash(given);
  } catch {
    return sha256(JSON.stringify(given));
  }
}

type Answered = { result: ToolResult | undefined; denial: DenialCode | null };

async function answer(tool: Tool | undefined, given: unknown, invocation: Invocation): Promise<Answered> {
  const { caller, services, requestId, signal, onError } = invocation;
  if (!tool) return { result: undefined, denial: 'unknown_tool' };
  const refusal = toolRefusal(caller, tool.scope);
  if (refusal) return { result: refused(refusal.problem, requestId), denial: refusal.denial };
  try {
    const body = (await tool.call(given, { caller, services, requestId, signal })) as Record<string, unknown>;
    const text = JSON.stringify(body);
    return { result: { content: [{ type: 'text', text }], structuredContent: body }, denial: null };
  } catch (error) {
    const problem = toProblem(error);
    if (problem !== error && !(error instanceof ClientGone)) onError(error);
    return { result: refused(problem, requestId), denial: null };
  }
}

/** Presents a refusal as text, for the model to read. A structured answer would have to match the output schema. */
function refused(problem: Problem, requestId: string): ToolResult {
  const text = withoutTokens(JSON.stringify(problemBody(problem, requestId)));
  return { content: [{ type: 'text', text }], isError: true };
}
