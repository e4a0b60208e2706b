import { expect } from 'chai';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import {
  callTool,
  connectAgent,
  toolOutputs,
  LEGACY,
  MODERN,
  modernMessage,
  speak,
} from '../../support/agent.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { createDecision } from '../../support/policy-record.ts';
import { changedTables, countRows } from '../../support/rows.ts';

onOneBackend('POST /api/mcp', (live) => {
  let tenancy: Tenancy;
  /**
   * A key of the same workspace with few scopes. Clients compile the schema of every tool that they can see, so fewer
   * scopes save time.
   */
  let modest: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    const scopes = ['agents:mcp:read', 'workspace:read'];
    modest = (await buildTenancy(live(), { workspace: tenancy.workspace, scopes })).key;
  });

  const lastInvocation = async (key = tenancy.key) =>
    (await clientOf(live(), key).get('/agents/invocations?limit=1')).body.data[0];

  it('lets a client of the newest protocol revision list and call tools', async () => {
    const client = await connectAgent(live(), modest);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include.members(['agents_invocations_list', 'workspace_get']);
    const { structuredContent } = await client.callTool({ name: 'workspace_get', arguments: {} });
    expect(structuredContent).to.include({ uid: tenancy.workspace });
    await client.close();
  });

  it('lets a client of earlier protocol revisions list and call tools', async () => {
    const client = new OlderClient({ name: 'an-older-test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${modest}` } };
    const transport = new OlderTransport(new URL(`${live().url}/api/mcp`), { requestInit });
    await client.connect(transport as never);
    expect(transport.sessionId).to.equal(undefined);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.include('workspace_get');
    const result = await client.callTool({ name: 'workspace_get', arguments: {} });
    expect(result['structuredContent']).to.include({ uid: tenancy.workspace });
    expect((await lastInvocation()).protocol_version).to.equal(LEGACY);
    await client.close();
  });

  it('answers with JSON if the client accepts only JSON, in the newest and in earlier revisions', async () => {
    const { message, headers } = modernMessage('tools/list');
    const modern = await speak(live(), tenancy.key, message, headers);
    expect(modern.status).to.equal(200);
    expect(modern.body.result).to.include({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
    const legacy = await speak(live(), tenancy.key, { jsonrpc: '2.0', id: 7, method: 'tools/list' });
    expect([legacy.status, legacy.body.id]).to.deep.equal([200, 7]);
    expect(legacy.body.result.tools).to.deep.equal(modern.body.result.tools);
  });

  it('I-153: always lists the tools that GET /agents/tools reports as callable', async () => {
    const { key } = await buildTenancy(live(), { scopes: ['agents:mcp:read', 'actions:read'] });
    const list = async () => {
      const { message, headers } = modernMessage('tools/list');
      return (await speak(live(), key, message, headers)).body.result.tools;
    };
    const tools = await list();
    expect(await list()).to.deep.equal(tools);
    const { body } = await clientOf(live(), key).get('/agents/tools');
    const callable = body.data.filter((each: { callable: boolean }) => each.callable);
    expect(callable.length).to.be.greaterThan(5).and.to.be.lessThan(body.data.length);
    expect(
      tools.map(({ name, title, description, inputSchema, outputSchema }: any) => ({
        name,
        title,
        description,
        input_schema: inputSchema,
        output_schema: outputSchema,
      })),
    ).to.deep.equal(
      callable.map(({ name, title, description, input_schema, output_schema }: any) => ({
        name,
        title,
        description,
        input_schema,
        output_schema,
      })),
    );
    for (const { input_schema, output_schema, schema_digest } of callable) {
      expect(schema_digest).to.equal(canonicalHash({ input_schema, output_schema }));
    }
  });

  it('I-151: denies and records a call of a tool whose scope is missing', async () => {
    const { key } = await buildTenancy(live(), { scopes: ['agents:mcp:read'] });
    const { status, body } = await callTool(live(), key, 'workspace_get');
    expect([status, body.result.isError]).to.deep.equal([200, true]);
    expect(JSON.parse(body.result.content[0].text)).to.include({
      code: 'insufficient_scope',
      required_scope: 'workspace:read',
    });
    expect(await lastInvocation(key)).to.deep.include({
      decision: 'denied',
      denial_code: 'insufficient_scope',
      client_info: { name: 'a-test', version: '1.2.3' },
      protocol_version: MODERN,
    });
  });

  it('rejects and records a call with a number that exceeds the range of a double', async () => {
    const { message, headers } = modernMessage('tools/call', {
      name: 'workspace_get',
      arguments: { of: 400 },
    });
    const text = JSON.stringify(message).replace('"of":400', '"of":1e400');
    const { status, body } = await speak(live(), tenancy.key, text, headers);
    expect([status, body.result?.isError]).to.deep.equal([200, true]);
    expect(JSON.parse(body.result.content[0].text).code).to.equal('validation_failed');
    const recorded = await lastInvocation();
    expect([recorded.arguments_hash, recorded.result.status]).to.deep.equal([
      sha256('{"of":null}'),
      'tool_error',
    ]);
  });

  it('answers and records a call of a client whose long name is truncated inside a surrogate pair', async () => {
    const { message, headers } = modernMessage('tools/call', { name: 'workspace_get', arguments: {} });
    const clientInfo = { name: `${'a'.repeat(99)}\u{1f600}`, version: '1.2.3' };
    const _meta = { ...message.params._meta, 'io.modelcontextprotocol/clientInfo': clientInfo };
    const given = { ...message, params: { ...message.params, _meta } };
    const { status, body } = await speak(live(), tenancy.key, given, headers);
    expect([status, body.error]).to.deep.equal([200, undefined]);
    const recorded = { name: `${'a'.repeat(99)}\ufffd`, version: '1.2.3' };
    expect((await lastInvocation()).client_info).to.deep.equal(recorded);
  });

  it('returns and records the error of the operation for a tool without entitlement', async () => {
    const own = await buildTenancy(live());
    await inPlatform(live().orm('operator'), (em) =>
      em.nativeUpdate(Workspace, { uid: own.workspace }, { entitlements: ['agents:mcp:read'] }),
    );
    const { body } = await callTool(live(), own.key, 'workspace_get');
    const problem = JSON.parse(body.result.content[0].text);
    const direct = (await clientOf(live(), own.key).get('/workspace')).body;
    expect(problem).to.deep.equal({ ...direct, request_id: problem.request_id });
    expect(problem.code).to.equal('entitlement_missing');
    expect(await lastInvocation(own.key)).to.include({
      decision: 'denied',
      denial_code: 'entitlement_missing',
    });
  });

  it('I-152: refuses headers that differ from the body, unknown methods, foreign origins and GET', async () => {
    const { message, headers } = modernMessage('tools/call', { name: 'workspace_get', arguments: {} });
    const differing = await speak(live(), tenancy.key, message, { ...headers, 'mcp-name': 'another' });
    expect([differing.status, differing.body.error.code]).to.deep.equal([400, -32_020]);
    const unknown = modernMessage('tools/make');
    const none = await speak(live(), tenancy.key, unknown.message, unknown.headers);
    expect([none.status, none.body.error.code]).to.deep.equal([404, -32_601]);
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
      const foreign = await speak(live(), tenancy.key, message, { ...headers, origin });
      expect([foreign.status, foreign.body.code], origin).to.deep.equal([403, 'origin_not_allowed']);
    }
    const own = await speak(live(), tenancy.key, message, { ...headers, origin: 'http://localhost:9999' });
    expect(own.status).to.equal(200);
    for (const method of ['GET', 'DELETE']) {
      const other = await speak(live(), tenancy.key, undefined, {}, method);
      expect([other.status, other.headers.get('allow')], method).to.deep.equal([405, 'POST']);
    }
  });

  it('I-150: changes no table except invocations, for every tool', async () => {
    const own = await buildTenancy(live());
    const names = (await clientOf(live(), own.key).get('/agents/tools')).body.data.map(
      ({ name }: { name: string }) => name,
    );
    const before = await countRows(live(), own.workspace);
    for (const name of names) {
      const { status } = await callTool(live(), own.key, name, { uid: 'x', key: 'x' });
      expect(status, name).to.equal(200);
      expect((await callTool(live(), own.key, name)).status, name).to.equal(200);
    }
    const after = await countRows(live(), own.workspace);
    expect(changedTables(before, after)).to.deep.equal(['agent_invocation']);
    expect(after['agent_invocation']! - before['agent_invocation']!).to.equal(2 * names.length);
  });

  it('answers a malformed message with a JSON-RPC error under its status', async () => {
    const { message, headers } = modernMessage('tools/list');
    const cases: [about: string, body: unknown, headers: Record<string, string>, number, number][] = [
      ['no JSON', '{', {}, 400, -32_700],
      ['a batch', [message], headers, 400, -32_600],
      ['another media type', message, { ...headers, 'content-type': 'text/plain' }, 415, -32_000],
      ['who accepts no JSON', message, { ...headers, accept: 'text/html' }, 406, -32_000],
      ['a revision that there is not', withVersion('2099-01-01'), versionHeaders('2099-01-01'), 400, -32_022],
      ['too large a body', JSON.stringify({ ...message, x: 'x'.repeat(1024 * 1024) }), headers, 413, -32_000],
    ];
    for (const [about, body, given, status, code] of cases) {
      const answer = await speak(live(), tenancy.key, body, given);
      expect([answer.status, answer.body.error?.code], about).to.deep.equal([status, code]);
    }
    const taken = await speak(live(), tenancy.key, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect(taken.status).to.equal(202);
  });

  it('requires a credential with the scope of agents and states where to get tokens', async () => {
    const { message, headers } = modernMessage('tools/list');
    const without = await speak(live(), undefined, message, headers);
    expect(without.status).to.equal(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(without.headers.get('www-authenticate')!)![1]!;
    const described = (await (await fetch(metadata)).json()) as Record<string, unknown>;
    expect(described).to.deep.include({
      resource: `${live().url}/api/mcp`,
      authorization_servers: [live().url],
    });
    const { key } = await buildTenancy(live(), { scopes: ['workspace:read'] });
    const scoped = await speak(live(), key, message, headers);
    expect([scoped.status, scoped.body.required_scope]).to.deep.equal([403, 'agents:mcp:read']);
  });

  it('returns invalid arguments and refusals of the operation as a tool result', async () => {
    const wrong = await callTool(live(), tenancy.key, 'quant_compute_jobs_list', { limit: 0, surplus: 1 });
    const problem = JSON.parse(wrong.body.result.content[0].text);
    expect(problem.code).to.equal('validation_failed');
    expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).to.have.members([
      '/limit',
      '/surplus',
    ]);
    const missing = await callTool(live(), tenancy.key, 'quant_compute_jobs_get', { uid: 'x' });
    expect(JSON.parse(missing.body.result.content[0].text).code).to.equal('not_found');
    expect(missing.body.result.isError).to.equal(true);
  });

  it('explains a policy decision and evaluates policies without recording a decision', async () => {
    const own = await buildTenancy(live());
    const input = { action: 'payment.instruct', currency: 'EUR', amount_minor: 1 };
    const uid = await createDecision(live(), own, input);
    const explained = (await callTool(live(), own.key, 'explain_decision', { uid })).body.result;
    const simulated = (await callTool(live(), own.key, 'simulate_policy', { input })).body.result;
    expect(explained.structuredContent).to.deep.include({
      uid,
      subject: { type: 'delegation', uid: 'dlg_test' },
    });
    const { uid: _, at: __, subject: ___, ...decided } = explained.structuredContent;
    expect(simulated.structuredContent).to.deep.equal(decided);
    const valid = await toolOutputs(live(), own.key);
    for (const [name, { structuredContent }] of [
      ['explain_decision', explained],
      ['simulate_policy', simulated],
    ])
      expect(valid(name, structuredContent), name).to.equal(true);
    const wrong = await callTool(live(), own.key, 'simulate_policy', { input: { amount_minor: '1' } });
    expect(JSON.parse(wrong.body.result.content[0].text).errors[0].pointer).to.equal('/input/amount_minor');
  });

  it('shows a workspace nothing of another workspace', async () => {
    const other = await buildTenancy(live());
    await callTool(live(), other.key, 'workspace_get');
    const { uid } = await lastInvocation(other.key);
    const seen = await callTool(live(), tenancy.key, 'agents_invocations_list', { limit: 200 });
    expect(JSON.stringify(seen.body)).to.not.contain(uid).and.to.not.contain(other.workspace);
  });

  it('I-154: records hashes and shapes of a call without its content', async () => {
    const said = { cursor: 'canary-in-a-value', 'canary-in-a-name': 'canary-too' };
    const { body } = await callTool(live(), tenancy.key, 'quant_compute_jobs_list', said, {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const row = await lastInvocation();
    expect(row).to.deep.include({
      decision: 'allowed',
      denial_code: null,
      arguments_hash: canonicalHash(said),
      arguments_shape: { '(unknown)': 'unknown_member', cursor: 'string' },
      caller: { application_uid: tenancy.application, credential_uid: tenancy.credential },
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    });
    const { text } = body.result.content[0];
    expect(row.result).to.deep.equal({
      status: 'tool_error',
      hash: sha256(text),
      bytes: Buffer.byteLength(text),
    });
    await callTool(live(), tenancy.key, 'canary-as-a-tool');
    expect(await lastInvocation()).to.deep.include({
      tool: null,
      decision: 'denied',
      denial_code: 'unknown_tool',
    });
    const { body: all } = await clientOf(live(), tenancy.key).get('/agents/invocations?limit=200');
    expect(JSON.stringify(all)).to.not.contain('canary');
  });

  const withVersion = (version: string) => {
    const { message } = modernMessage('tools/list');
    message.params._meta['io.modelcontextprotocol/protocolVersion'] = version;
    return message;
  };
  const versionHeaders = (version: string) => ({
    'mcp-protocol-version': version,
    'mcp-method': 'tools/list',
  });
});
