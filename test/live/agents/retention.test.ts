import { expect } from 'chai';
import { forgetAgentInvocations } from '#workers/periodic/forget-agent-invocations.ts';
import { callTool } from '../../support/agent.ts';
import { buildTenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('Records of agent calls', (live) => {
  it('are kept for ninety days in every workspace', async () => {
    const tenancies = [await buildTenancy(live()), await buildTenancy(live())];
    for (const { key } of tenancies) await callTool(live(), key, 'workspace_get');
    const kept = () =>
      Promise.all(
        tenancies.map(async ({ key }) => {
          const { body } = await clientOf(live(), key).get('/agents/invocations');
          return body.data.map(({ tool }: { tool: { name: string } }) => tool.name);
        }),
      );
    const age = (days: number) =>
      asSuperuser(live(), (client) =>
        client.query(
          `update agent_invocation set at = now() - make_interval(days => $2) where workspace_uid = any($1)`,
          [tenancies.map(({ workspace }) => workspace), days],
        ),
      );
    await age(89);
    await forgetAgentInvocations(live().orm('worker'));
    expect(await kept()).to.deep.equal([['workspace_get'], ['workspace_get']]);
    await age(91);
    await forgetAgentInvocations(live().orm('worker'));
    expect(await kept()).to.deep.equal([[], []]);
  });
});
