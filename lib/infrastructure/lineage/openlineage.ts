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
  const events = [...activities.values()].flatMap((activity) => {
    const related = (relation: 'used' | 'generated') =>
      (of.get(activity.id) ?? [])
        .filter((edge) => edge.relation === relation)
        .flatMap(({ other }) => entities.get(other) ?? []);
    const shared = {
      producer: PRODUCER,
      schemaURL: EVENT_SCHEMA,
      run: runOf(activity, activities, options),
      job: jobOf(activity, options),
      inputs: related('used').map((entity) => datasetOf(entity, entities, options)),
    };
    const start = { ...shared, eventTime: activity.startedAt, eventType: 'START', outputs: [] };
    if (activity.state === 'open' || activity.endedAt === null) return [{ id: activity.id, event: start }];
    const outputs = related('generated').map((entity) => datasetOf(entity, entities, options));
    const end = { ...shared, eventTime: activity.endedAt, eventType: endings[activity.state], outputs };
    return [
      { id: activity.id, event: start },
      { id: activity.id, event: end },
    ];
  });
  return events
    .map(({ id, event }) => ({ order: [event.eventTime, event.eventType === 'START' ? 0 : 1, id], event }))
    .toSorted((one, other) => compare(one.order, other.order))
    .map(({ event }) => canonicalJson(event));
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [at, value] of one.entries()) {
    if (value !== other[at]) return value < other[at]! ? -1 : 1;
  }
  return 0;
}

function runOf(activity: Activity, activities: ReadonlyMap<NodeId, Activity>, options: OpenLineageOptions) {
  const { id, parent, problem } = activity;
  const above = parent === null ? undefined : activities.get(parent);
  return {
    runId: uuidOf(id),
    facets: {
      ...(above && {
        parent: facet('1-2-0', 'ParentRunFacet', {
          run: { runId: uuidOf(above.id) },
          job: { namespace: namespaceOf(options), name: nameOfJob(above) },
        }),
      }),
      ...(problem !== null &&
        activity.state === 'failed' && {
          errorMessage: facet('1-0-1', 'ErrorMessageRunFacet', {
            message: problem,
            programmingLanguage: 'TypeScript',
          }),
        }),
    },
  };
}

function jobOf(activity: Activity, options: OpenLineageOptions) {
  return {
    namespace: namespaceOf(options),
    name: nameOfJob(activity),
    facets: {
      jobType: facet('2-0-4', 'JobTypeJobFacet', {
        processingType: 'BATCH',
        integration: 'ASSAY',
        jobType: activity.type === 'workflow_run' ? 'WORKFLOW' : 'JOB',
      }),
    },
  };
}

function datasetOf(entity: Entity, entities: ReadonlyMap<NodeId, Entity>, options: OpenLineageOptions) {
  const { columns = {} } = entity;
  const fields = Object.keys(columns).map((name) => ({ name }));
  const traced = Object.entries(columns).flatMap(([name, sources]) => {
    const known = sources.filter(({ node }) => entities.has(node));
    return known.length === 0 ? [] : [[name, known] as const];
  });
  const columnLineage = Object.fromEntries(
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
    namespace: namespaceOf(options),
    name: nameOfDataset(entity, options),
    facets: {
      version: facet('1-0-1', 'DatasetVersionDatasetFacet', { datasetVersion: entity.version }),
      datasetType: facet('1-0-1', 'DatasetTypeDatasetFacet', { datasetType: typeOf(entity) }),
      ...(options.withColumns &&
        fields.length > 0 && {
          schema: facet('1-2-0', 'SchemaDatasetFacet', { fields }),
          ...(traced.length > 0 && {
            columnLineage: facet('1-2-0', 'ColumnLineageDatasetFacet', { fields: columnLineage }),
          }),
        }),
      ...(entity.type === 'result' && {
        assay_seal: {
          _producer: PRODUCER,
          _schemaURL: 'urn:svc:assay:facets:1-0-0:seal',
          uid: entity.uid,
          result_hash: entity.version,
        },
      }),
    },
  };
}

function facet(version: string, name: string, members: object) {
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
