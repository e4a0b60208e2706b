import { expect } from 'chai';
import type { Invocation } from '#api/mcp/invocation.ts';
import { createToolHandler } from '#api/mcp/server.ts';
import { modernMessage } from '../../support/agent.ts';

describe('a tool call that cannot be recorded', () => {
  it('returns a general error, and reports the cause only to the error handler', async () => {
    const reported: unknown[] = [];
    const failure = new Error('permission denied for table agent_invocation');
    const invocation = {
      caller: { application: 'app_1', credential: 'key_1', scopes: new Set() },
      requestId: 'req_1',
      message: { protocolVersion: null, client: { name: null, version: null }, traceId: null },
      record: () => Promise.reject(failure),
      onError: (error: unknown) => reported.push(error),
      now: () => new Date(0),
    } as unknown as Invocation;
    const { message, headers } = modernMessage('tools/call', { name: 'unknown_tool', arguments: {} });
    const request = new Request('http://localhost/api/mcp', {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(message),
    });
    const handler = createToolHandler([], () => {});
    const answer = await (await handler(request, message, invocation)).text();
    expect(answer).to.include('-32603').and.not.to.include('agent_invocation');
    expect(reported).to.deep.equal([failure]);
  });
});
