import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parse } from 'yaml';
import { createMetrics } from '#lib/ops/metrics.ts';
import { addQueueMetrics } from '#lib/ops/queue-metrics.ts';

type Panel = { targets: { expr: string }[] };
type Rules = { groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[] };

/** Returns the names of the metrics that the processes export, in the form that queries use. */
function exported(): { ours: string[]; queryable: Set<string> } {
  const metrics = createMetrics(() => ({ in_use: 0, idle: 0, waiting: 0 }));
  addQueueMetrics(metrics, async () => []);
  const all = metrics.registry.getMetricsAsArray() as unknown as { name: string; type: string }[];
  const ours = all.map(({ name }) => name).filter((name) => !/^assay_(process|nodejs)_/.test(name));
  const queryable = all.flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
  return { ours, queryable: new Set(queryable) };
}

const namesIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => [...text.matchAll(/\bassay_\w+/g)].map(([name]) => name)));

describe('the dashboard and the alerts', () => {
  let expressions: string[];
  let rules: Rules['groups'][number]['rules'];

  before(async () => {
    const dashboard = JSON.parse(await readFile('docker/grafana/assay.json', 'utf8')) as { panels: Panel[] };
    const alerts = parse(await readFile('docker/prometheus/alerts.yml', 'utf8')) as Rules;
    rules = alerts.groups.flatMap((group) => group.rules);
    expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...rules.map(({ expr }) => expr),
    ];
  });

  it('query only exported metrics', () => {
    const { queryable } = exported();
    const named = namesIn(expressions);
    expect(named.size).to.be.greaterThan(10);
    expect([...named].filter((name) => !queryable.has(name))).to.deep.equal([]);
  });

  it('query every metric of Assay', () => {
    const named = [...namesIn(expressions)];
    const { ours } = exported();
    expect(ours.filter((name) => !named.some((each) => each.startsWith(name)))).to.deep.equal([]);
  });

  it('state a summary and an action for each alert', () => {
    for (const { alert, annotations } of rules) {
      expect(annotations['summary'], alert).to.be.a('string');
      expect(annotations['action'], alert).to.be.a('string');
    }
  });

  it('use metrics that prometheus.yml collects, only from services that have the metrics port in compose.yaml', async () => {
    const { scrape_configs: scraped } = parse(await readFile('docker/prometheus/prometheus.yml', 'utf8')) as {
      scrape_configs: { job_name: string }[];
    };
    const compose = parse(await readFile('docker/compose.yaml', 'utf8'), { merge: true }) as {
      services: Record<string, { environment?: { OPS_PORT?: string } }>;
    };
    expect(scraped).to.not.have.lengthOf(0);
    for (const { job_name: part } of scraped) {
      expect(compose.services[part]?.environment?.OPS_PORT, part).to.equal('3001');
    }
  });

  it('use metrics that are all listed in docs/reference/metrics.md', async () => {
    const page = await readFile('docs/reference/metrics.md', 'utf8');
    const table = [...page.matchAll(/^\| `(assay_\w+)/gm)].map(([, name]) => name);
    expect(table.sort()).to.deep.equal(exported().ours.sort());
  });
});
