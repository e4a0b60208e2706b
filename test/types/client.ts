import { createClient } from '#lib/client/client.ts';

// Examples of code that must and must not compile for TypeScript callers. Nothing in this file is run.

export async function calls(): Promise<void> {
  const client = createClient({ baseUrl: '', apiKey: '' });

  const run = await client.submit('/investment/theme-watch/factors', { history_months: 12 });
  const sealed = await run.sealed({ onProgress: ({ progress }) => void progress.toFixed() });
  void sealed.result.factors[0]!.exposure_sum.toFixed();
  void (await client.submit('/investment/theme-watch/factors'));
  const path = { uid: run.uid };
  const { data } = await client.GET('/quant/compute/jobs/{uid}', { params: { path } });
  void data.kind.length;
  for await (const job of client.pages('/quant/compute/jobs', { state: 'queued' })) void job.uid.length;

  // @ts-expect-error -- a uid is text
  void data.uid.toFixed();
  // @ts-expect-error -- the path needs its parameter
  await client.GET('/quant/compute/jobs/{uid}');
  // @ts-expect-error -- nothing is read under this path
  await client.GET('/quant/compute');
  // @ts-expect-error -- not a query parameter
  await client.GET('/quant/compute/jobs', { params: { query: { limits: 3 } } });
  // @ts-expect-error -- no run is submitted there
  await client.submit('/quant/compute/jobs');
  // @ts-expect-error -- a member that the request does not have
  await client.submit('/investment/theme-watch/factors', { history: 12 });
  // @ts-expect-error -- one job is not a list
  client.pages('/quant/compute/jobs/{uid}');
  // @ts-expect-error -- not a state
  client.pages('/quant/compute/jobs', { state: 'lost' });
  // @ts-expect-error -- no credential
  createClient({ baseUrl: '' });
  // @ts-expect-error -- half of a credential
  createClient({ baseUrl: '', clientId: '' });
}
