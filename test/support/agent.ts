import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAjv } from '#lib/core/ajv.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

export type RpcAnswer = { status: number; headers: Headers; body: any };

/** Sends any message to the protocol endpoint: a text is sent unchanged, any other value as JSON. */
export async function speak(
  backend: Pick<Backend, 'url'>,
  key: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<RpcAnswer> {
  const response = await fetch(`${backend.url}/api/mcp`, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'POST' ? { body: typeof message === 'string' ? message : JSON.stringify(message) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** Creates a request of the newest revision with its headers. */
export function modernMessage(method: string, params: Record<string, unknown> = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'a-test', version: '1.2.3' },
  };
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  const headers = {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
  };
  return { message, headers };
}

/** Calls a tool in the newest revision. */
export function callTool(
  backend: Pick<Backend, 'url'>,
  key: string,
  name: string,
  given: Record<string, unknown> = {},
  further: Record<string, string> = {},
): Promise<RpcAnswer> {
  const { message, headers } = modernMessage('tools/call', { name, arguments: given });
  return speak(backend, key, message, { ...headers, ...further });
}

/** Creates an MCP client of the newest protocol revision, as agents use it. */
export async function connectAgent(backend: Pick<Backend, 'url'>, key: string): Promise<Client> {
  const client = new Client({ name: 'a-test', version: '1.2.3' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${backend.url}/api/mcp`), { requestInit }));
  return client;
}

/** Creates a recorded call of a tenancy and returns its uid. */
export async function createInvocation(backend: Backend, { key }: Tenancy): Promise<string> {
  await callTool(backend, key, 'workspace_get');
  const { body } = await clientOf(backend, key).get('/agents/invocations?limit=1');
  return body.data[0].uid;
}

/**
 * Returns a function that checks whether an answer of a tool is valid against the output schema of the tool.
 */
export async function toolOutputs(backend: Pick<Backend, 'url'>, key: string) {
  const { body } = await clientOf(backend, key).get('/agents/tools');
  const schemas = new Map<string, object>(
    body.data.map((tool: { name: string; output_schema: object }) => [tool.name, tool.output_schema]),
  );
  return (name: string, answer: unknown): boolean => createAjv().compile(schemas.get(name)!)(answer);
}
