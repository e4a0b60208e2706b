import { createClient } from '#lib/client/client.ts';
import type { Config } from '#lib/core/config.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { scopes } from '#lib/core/scope.ts';
import { openOrm } from '#lib/database/orm.ts';
import { queriesOn } from '#lib/database/queries.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { readGraph } from '#lib/infrastructure/lineage/read-graph.query.ts';
import { lineageTree } from '#lib/infrastructure/lineage/tree.ts';
import { runs } from '#lib/runs.ts';
import { demoWorkflow, runInstalled } from '#lib/sample/workflow.ts';
import type { Seeded } from '#lib/sample/demo.ts';
import type { Stack } from '../../process/stack.ts';

const DEPTH = 3;

/**
 * Installs a shipped workflow in the sample workspace over HTTP, has two persons enable it, and runs it to its end.
 * Returns a text that names the run and shows the lineage of its result.
 */
export async function demoLineage(
  { ownerUrl, url }: Pick<Stack, 'ownerUrl' | 'url'>,
  config: Config,
  { workspace, application, api_key: apiKey }: Seeded,
): Promise<string> {
  const { key, parameters } = demoWorkflow;
  const client = createClient({ baseUrl: url, apiKey });
  const installed = await client.POST('/workflows/library/{key}/install', {
    params: { path: { key } },
    body: { parameters },
  });
  const installation = (installed.data as { uid: string }).uid;
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 2);
  try {
    const operators = { orm, query: queriesOn(orm) };
    const place = { workspace: workspace.uid, environment: 'sandbox' } as const;
    const { run, steps } = await runInstalled(operators, {
      ...place,
      application: application.uid,
      installation,
    });
    if (run.state !== 'succeeded')
      throw new Refusal('demo_failed', `the workflow ${key} ended as ${run.state}, ${run.errorCode}`);
    const uid = steps.find(({ jobUid }) => jobUid !== null)?.jobUid;
    const reader = {
      scopes: new Set<string>(scopes),
      scopeOfRun: Object.fromEntries(Object.values(runs).map((each) => [each.key, each.scope])),
    };
    const request = { uid: uid!, direction: 'upstream', depth: DEPTH, reader } as const;
    const found = await operators.query(place, readGraph, request);
    if (!found) throw new Refusal('demo_failed', `the lineage of ${uid} is not known`);
    const told = [
      `The workflow ${key} was installed as ${installation}. One person proposed a version and another published it. The run is ${run.uid}.`,
      'The lineage of the risk report of this run:',
      ...lineageTree(found.graph, found.subject),
      `To draw it again: assay lineage show ${uid} --direction upstream --depth ${DEPTH}`,
    ];
    return told.join('\n');
  } finally {
    await orm.close();
  }
}
