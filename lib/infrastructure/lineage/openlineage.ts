import { canonicalJson } from '#lib/core/seal.ts';
import { isActivity, ordered, type Activity, type Entity, type Graph, type NodeId } from './graph.ts';
import { uuidOf } from './uuid.ts';

export type OpenLineageOptions = {
  /** The workspace and its environment, which name the namespace. */
  workspace: string;
  environment: string;
  /** Whether names of datasets contain the version, for consumers that ignore the version facet. */
  pinVersions: boolean;
  /** Whether columns are also exported, for records that have columns. */
  withColumns: boolean;
};

const PRODUCER = 'urn:svc:assay';
const SPEC = 'https://openlineage.io/spec';
const EVENT_SCHEMA = `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`;

const endings = { succeeded: 'COMPLETE', failed: 'FAIL', cancelled: 'ABORT' } as const;

/**
 * Returns a graph as OpenLineage 2-0-2 run events, one RFC 8785 line each. Every activity has a START event without
 * outputs and, once it has ended, a COMPLETE, FAIL or ABORT event. The lines are ordered by time, type and uid. The run
 * id is the UUIDv7 in the uid of the activity, so the uid can be recovered from it. The text depends only on the graph.
 */
export function openLineageOf(graph: Graph, options: OpenLineageOptions): string[] {
  const { nodes, edges } = ordered(graph);
  const entities = new Map(nodes.flatMap((node) => (isActivity(node) ? [] : [[node.id, node] as const])));
  const activities = new Map(nodes.flatMap((node) => (isActivity(node) ? [[node.id, node] as const] : [])));
  const of = Map.groupBy(edges, ({ activity }) => activity);
  // A record appears in many events, and a kind of job in many activities. Each of their texts is composed once.
  const datasets = new Map([...entities].map(([id, entity]) => [id, datasetOf(entity, entities, options)]));
  const jobs = new Map<string, string>();
  const events = [...activities.values()].flatMap((activity) => {
    const related = (relation: 'used' | 'generated') =>
      (of.get(activity.id) ?? [])
        .filter((edge) => edge.relation === relation)
        .flatMap(({ other }) => datasets.get(other) ?? []);
    const kind = `${activity.type} ${activity.kind}`;
    const job = jobs.get(kind) ?? jobs.set(kind, jobOf(activity, options)).get(kind)!;
    const shared = { inputs: related('used'), job, run: runOf(activity, activities, options) };
    const start = eventOf({ ...shared, time: activity.startedAt, type: 'START', outputs: [] });
    const first = { order: [activity.startedAt, 0, activity.id], event: start };
    if (activity.state === 'open' || activity.endedAt === null) return [first];
    const outputs = related('generated');
    const end = eventOf({ ...shared, time: activity.endedAt, type: endings[activity.state], outputs });
    return [first, { order: [activity.endedAt, 1, activity.id], event: end }];
  });
  return events.toSorted((one, other) => compare(one.order, other.order)).map(({ event }) => event);
}

/*
 * The functions below compose texts in RFC 8785 form: their members are in the order of their names. Only a record with
 * columns, whose names can have any order, is put into this form by `canonicalJson`.
 */

type EventTexts = {
  time: string;
  type: string;
  inputs: readonly string[];
  job: string;
  outputs: readonly string[];
  run: string;
};

function eventOf({ time, type, inputs, job, outputs, run }: EventTexts): string {
  return (
    `{"eventTime":${JSON.stringify(time)},"eventType":"${type}","inputs":[${inputs.join(',')}],"job":${job},` +
    `"outputs":[${outputs.join(',')}],"producer":"${PRODUCER}","run":${run},"schemaURL":"${EVENT_SCHEMA}"}`
  );
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [at, value] of one.entries()) {
    if (value !== other[at]) return value < other[at]! ? -1 : 1;
  }
  return 0;
}

function runOf(
  activity: Activity,
  activities: ReadonlyMap<NodeId, Activity>,
  options: OpenLineageOptions,
): string {
  const { id, parent, problem } = activity;
  const above = parent === null ? undefined : activities.get(parent);
  return JSON.stringify({
    facets: {
      ...(problem !== null &&
        activity.state === 'failed' && {
          errorMessage: facet('1-0-1', 'ErrorMessageRunFacet', {
            message: problem,
            programmingLanguage: 'TypeScript',
          }),
        }),
      ...(above && {
        parent: facet('1-2-0', 'ParentRunFacet', {
          job: { name: nameOfJob(above), namespace: namespaceOf(options) },
          run: { runId: uuidOf(above.id) },
        }),
      }),
    },
    runId: uuidOf(id),
  });
}

function jobOf(activity: Activity, options: OpenLineageOptions): string {
  return JSON.stringify({
    facets: {
      jobType: facet('2-0-4', 'JobTypeJobFacet', {
        integration: 'ASSAY',
        jobType: activity.type === 'workflow_run' ? 'WORKFLOW' : 'JOB',
        processingType: 'BATCH',
      }),
    },
    name: nameOfJob(activity),
    namespace: namespaceOf(options),
  });
}

function datasetOf(
  entity: Entity,
  entities: ReadonlyMap<NodeId, Entity>,
  options: OpenLineageOptions,
): string {
  const columns = options.withColumns ? columnFacets(entity, entities, options) : undefined;
  const dataset = {
    facets: {
      ...(entity.type === 'result' && {
        assay_seal: {
          _producer: PRODUCER,
          _schemaURL: 'urn:svc:assay:facets:1-0-0:seal',
          result_hash: entity.version,
          uid: entity.uid,
        },
      }),
      ...columns,
      datasetType: facet('1-0-1', 'DatasetTypeDatasetFacet', { datasetType: typeOf(entity) }),
      version: facet('1-0-1', 'DatasetVersionDatasetFacet', { datasetVersion: entity.version }),
    },
    name: nameOfDataset(entity, options),
    namespace: namespaceOf(options),
  };
  return columns ? canonicalJson(dataset) : JSON.stringify(dataset);
}

/** Returns the facets of the columns that a definition records; undefined if it records none. */
function columnFacets(
  { columns = {} }: Entity,
  entities: ReadonlyMap<NodeId, Entity>,
  options: OpenLineageOptions,
): Record<string, object> | undefined {
  const fields = Object.keys(columns).map((name) => ({ name }));
  if (fields.length === 0) return undefined;
  const traced = Object.entries(columns).flatMap(([name, sources]) => {
    const known = sources.filter(({ node }) => entities.has(node));
    return known.length === 0 ? [] : [[name, known] as const];
  });
  const lineage = Object.fromEntries(
    traced.map(([name, sources]) => [
      name,
      {
        inputFields: sources.map(({ node, field }) => ({
          namespace: namespaceOf(options),
          name: nameOfDataset(entities.get(node)!, options),
          field,
          transformations: [{ type: 'DIRECT', subtype: 'TRANSFORMATION' }],
        })),
      },
    ]),
  );
  return {
    schema: facet('1-2-0', 'SchemaDatasetFacet', { fields }),
    ...(traced.length > 0 && {
      columnLineage: facet('1-2-0', 'ColumnLineageDatasetFacet', { fields: lineage }),
    }),
  };
}

function facet(version: string, name: string, members: object): object {
  return {
    _producer: PRODUCER,
    _schemaURL: `${SPEC}/facets/${version}/${name}.json#/$defs/${name}`,
    ...members,
  };
}

function typeOf({ type, kind }: Entity): string {
  return type === 'dataset'
    ? 'TABLE'
    : type === 'model'
      ? 'MODEL'
      : type === 'result'
        ? 'FILE'
        : kind.toUpperCase();
}

/** Returns the namespace of a tenant. It contains only characters that Marquez accepts. */
function namespaceOf({ workspace, environment }: OpenLineageOptions): string {
  return `assay://${workspace}/${environment}`;
}

function nameOfJob({ type, kind }: Activity): string {
  return type === 'run' ? kind : `${type}/${kind}`;
}

function nameOfDataset({ type, uid, version }: Entity, { pinVersions }: OpenLineageOptions): string {
  const suffix = pinVersions ? (type === 'dataset' ? `@r${version}` : `@${version.slice(0, 16)}`) : '';
  return `${type}/${uid}${suffix}`;
}
