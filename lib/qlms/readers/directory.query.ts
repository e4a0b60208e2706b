import { sql } from 'kysely';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { metricCatalogue } from '#lib/data/metric.ts';
import { listEconomicSeries, type EconomicSeries } from '#lib/data/economic-series.query.ts';
import { listInstruments } from '#lib/data/instrument.query.ts';
import { servingLqm } from '#lib/models/registry/lqm.query.ts';
import { declareMeasures, type MeasuredSeries, type OwnMeasure } from '../facts/measures.ts';
import type { Entity } from '../facts/readers.ts';
import type { Measure } from '../language/catalogue.ts';
import { askedFeatures, nativeOf, type AskedFeature } from './asked-features.query.ts';

/**
 * The largest number of names of one kind. In a workspace with more names of a kind, only the first names can be used.
 */
const NAMES_MAX = 20_000;
const DIRECTORIES_MAX = 32;

/** A dataset at the revision that is read. */
export type DirectoryDataset = { id: number; uid: string; name: string; kind: string; revision: number };

/** The names, entities and measures of a workspace, as they were known at the end of a day. */
export type Directory = {
  /** A text that changes whenever a name may have changed. */
  state: string;
  datasets: readonly DirectoryDataset[];
  series: ReadonlyMap<string, EconomicSeries>;
  features: ReadonlyMap<string, AskedFeature>;
  measures: ReadonlyMap<string, Measure>;
  definitions: ReadonlyMap<string, string>;
  entities: ReadonlyMap<string, readonly Entity[]>;
  /** The keys of the measures that exist only because of data or definitions of the workspace. */
  own: ReadonlySet<string>;
  /** The factors of the model that generates scenarios. */
  factors: readonly string[];
};

/** The directories that were read last, by tenant and as-of day. */
const cache = new Map<string, Directory>();

/**
 * Returns the directory of the tenant. The directory is read again only if a name may have changed since the last read.
 */
export async function readDirectory(em: Em, asOf: string | undefined): Promise<Directory> {
  return (await readDirectoryAndZone(em, asOf)).directory;
}

/** Returns the directory of the tenant with the time zone of the workspace. */
export async function readDirectoryAndZone(
  em: Em,
  asOf: string | undefined,
): Promise<{ directory: Directory; timeZone: string }> {
  const { workspace, environment } = tenantOf(em);
  const key = [workspace, environment, asOf ?? ''].join(' ');
  const { state, datasets, timeZone } = await readState(em);
  const known = cache.get(key);
  cache.delete(key);
  const directory = known?.state === state ? known : await readNames(em, { state, datasets, asOf });
  cache.set(key, directory);
  for (const oldest of cache.keys()) {
    if (cache.size <= DIRECTORIES_MAX) break;
    cache.delete(oldest);
  }
  return { directory, timeZone };
}

async function readState(em: Em): Promise<{ state: string; datasets: DirectoryDataset[]; timeZone: string }> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ datasets: DirectoryDataset[] | null; names: unknown; timeZone: string }>`
    select (select time_zone from workspace where uid = ${workspace}) as "timeZone", (
      select json_agg(json_build_object('id', d.id, 'uid', d.uid, 'name', d.name, 'kind', d.kind,
        'revision', d.revision) order by d.workspace_uid is null, d.id)
      from dataset d join dataset_entitlement e on e.dataset_id = d.id and e.workspace_uid = ${workspace}
    ) as datasets,
    json_build_array(
      (select json_build_array(count(*), max(id)) from company where workspace_uid = ${workspace}),
      (select json_build_array(count(*), max(id)) from counterparty
        where workspace_uid = ${workspace} and kind = 'counterparty'),
      (select json_build_array(count(*), max(uid)) from ledger_account
        where workspace_uid = ${workspace} and environment = ${environment}),
      (select json_build_array(count(*), max(uid)) from workflow_version
        where workspace_uid = ${workspace} and environment = ${environment}),
      (select max(uid) from workflow_run where workspace_uid = ${workspace} and environment = ${environment}),
      (select count(*) from metric_definition where workspace_uid = ${workspace}),
      (select json_build_array(count(*), max(uid)) from portfolio
        where workspace_uid = ${workspace} and environment = ${environment}),
      (select json_build_array(count(*), max(v.id), count(*) filter (where f.status = 'active'),
          count(*) filter (where exists (select from feature_value x where x.feature_version_id = v.id)))
        from feature f join feature_version v on v.feature_uid = f.uid where f.workspace_uid = ${workspace}),
      (select max(id) from lqm_serving where workspace_uid = ${workspace} and environment = ${environment})
    ) as names
  `.execute(em.getKysely());
  const { datasets, names, timeZone } = rows[0]!;
  return { state: canonicalHash({ datasets, names }), datasets: datasets ?? [], timeZone };
}

type Reading = { state: string; datasets: readonly DirectoryDataset[]; asOf: string | undefined };

async function readNames(em: Em, { state, datasets, asOf }: Reading): Promise<Directory> {
  // Operators can read the datasets of every workspace, so the datasets of this workspace are named.
  const page = { asOf, datasets: datasets.map(({ id }) => id), after: undefined, limit: NAMES_MAX };
  const listed = await listEconomicSeries(em, page);
  const instruments = await listInstruments(em, page);
  const others = await readOthers(em);
  const generative = await servingLqm(em);
  const features = await askedFeatures(em);
  const series = new Map(listed.map((each) => [each.key, each]));
  const own = others.metrics.map(({ name, unit, kind }): OwnMeasure => ({ name, unit, kind }));
  const measured = listed.flatMap(measuredSeries);
  return {
    state,
    datasets,
    series,
    features: new Map(features.map((each) => [each.key, each])),
    measures: declareMeasures(
      measured,
      own,
      features.map((each) => ({ key: each.key, unit: each.unit, native: nativeOf(each) })),
    ),
    definitions: new Map([
      ...metricCatalogue.map(({ name, description }) => [`metric.${name}`, description] as const),
      ...others.metrics.map(({ name, description }) => [`metric.${name}`, description] as const),
      ...measured.map(({ series: key, title }) => [`economics.${key}`, title] as const),
    ]),
    entities: entitiesOf(
      { ...others, datasets: datasets.map(({ name }) => name) },
      instruments.map(({ symbol, name, sector, subIndustry }) => ({
        type: 'instrument',
        key: symbol,
        label: symbol,
        attributes: {
          name,
          ...(sector === null ? {} : { sector }),
          ...(subIndustry === null ? {} : { sub_industry: subIndustry }),
        },
      })),
    ),
    own: new Set([
      ...measured.map(({ series: key }) => `economics.${key}`),
      ...own.map(({ name }) => `metric.${name}`),
      ...features.map(({ key }) => `feature.${key}`),
    ]),
    factors: generative?.definition.columns.map(({ name }) => name) ?? [],
  };
}

/** A series is a measure if its frequency is a period that questions can name. */
function measuredSeries({ key, title, frequency, unit }: EconomicSeries): MeasuredSeries[] {
  if (frequency !== 'daily' && frequency !== 'monthly' && frequency !== 'quarterly' && frequency !== 'yearly')
    return [];
  return [{ series: key, title: title ?? key, frequency, unit: unit ?? 'not stated' }];
}

type Others = {
  companies: { id: number; name: string; metrics: string }[];
  counterparties: { id: number; name: string }[];
  accounts: { key: string; name: string | null; currency: string }[];
  workflows: string[];
  themes: string[];
  portfolios: { key: string; name: string }[];
  metrics: { name: string; unit: OwnMeasure['unit']; kind: OwnMeasure['kind']; description: string }[];
};

async function readOthers(em: Em): Promise<Others> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ [Name in keyof Others]: Others[Name] | null }>`
    select
      (select json_agg(json_build_object('id', c.id, 'name', c.name, 'metrics', coalesce((
          select string_agg(distinct o.metric, ' ' order by o.metric) from company_metric o
          join dataset_entitlement e on e.dataset_id = o.dataset_id and e.workspace_uid = ${workspace}
          where o.company = c.id::text), '')) order by c.id)
        from (select * from company where workspace_uid = ${workspace} order by id limit ${NAMES_MAX}) c
      ) as companies,
      (select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.id)
        from (select * from counterparty where workspace_uid = ${workspace} and kind = 'counterparty'
          order by id limit ${NAMES_MAX}) c) as counterparties,
      (select json_agg(json_build_object('key', a.key, 'name', a.name, 'currency', a.currency) order by a.key)
        from (select * from ledger_account where workspace_uid = ${workspace} and environment = ${environment}
          order by key limit ${NAMES_MAX}) a) as accounts,
      (select json_agg(json_build_object('key', p.key, 'name', p.name) order by p.key)
        from (select * from portfolio where workspace_uid = ${workspace} and environment = ${environment}
          order by key limit ${NAMES_MAX}) p) as portfolios,
      (select json_agg(distinct w.key) from (
        select v.key from workflow_version v
          where v.workspace_uid = ${workspace} and v.environment = ${environment}
        union select r.workflow_key from workflow_run r
          where r.workspace_uid = ${workspace} and r.environment = ${environment}
      ) w) as workflows,
      (select json_agg(distinct x.theme) from taxonomy_exposure x
        join taxonomy_version v on v.id = x.taxonomy_version_id and v.status = 'published'
        join dataset_entitlement e on e.dataset_id = v.dataset_id and e.workspace_uid = ${workspace}) as themes,
      (select json_agg(json_build_object('name', m.name, 'unit', m.unit, 'kind', m.kind,
          'description', m.description) order by m.name)
        from metric_definition m where m.workspace_uid = ${workspace}) as metrics
  `.execute(em.getKysely());
  const [found] = rows;
  return {
    companies: found!.companies ?? [],
    counterparties: found!.counterparties ?? [],
    accounts: found!.accounts ?? [],
    workflows: found!.workflows ?? [],
    portfolios: found!.portfolios ?? [],
    themes: found!.themes ?? [],
    metrics: found!.metrics ?? [],
  };
}

function entitiesOf(
  others: Others & { datasets: string[] },
  instruments: readonly Entity[],
): Map<string, readonly Entity[]> {
  const named = (type: string, key: string, attributes: Record<string, string> = { name: key }): Entity => ({
    type,
    key,
    label: key,
    attributes,
  });
  return new Map<string, readonly Entity[]>([
    [
      'company',
      others.companies.map(({ id, name, metrics }) => ({
        type: 'company',
        key: String(id),
        label: `company ${id} ${name}`,
        attributes: { name, metrics },
      })),
    ],
    [
      'counterparty',
      others.counterparties.map(({ id, name }) => ({
        type: 'counterparty',
        key: String(id),
        label: name,
        attributes: { name },
      })),
    ],
    ['instrument', [...instruments].sort((one, other) => (one.key < other.key ? -1 : 1))],
    ['theme', [...others.themes].sort().map((theme) => named('theme', theme))],
    [
      'account',
      others.accounts.map(({ key, name, currency }) =>
        named('account', key, { name: name ?? key, currency }),
      ),
    ],
    ['workflow', [...others.workflows].sort().map((key) => named('workflow', key))],
    ['portfolio', others.portfolios.map(({ key, name }) => named('portfolio', key, { name }))],
    ['dataset', [...new Set(others.datasets)].sort().map((key) => named('dataset', key))],
  ]);
}
