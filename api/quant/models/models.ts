import Type, { type Static } from 'typebox';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import { generativeFamilies, lqmFamilies, purposeOf, type LqmFamily } from '#lib/models/registry/lqm.ts';
import { registeredModels, type RegisteredModel } from '#lib/models/registry/registered-models.query.ts';
import type { ModelKind, RunnableState } from '#lib/quant/models/runnable-model.ts';
import { workspaceModels, type WorkspaceModel } from '#lib/quant/models/workspace-models.query.ts';
import type { PageRequest } from '../../http/page-rows.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { builtInModels, type BuiltInModel } from './built-in-models.ts';
import { presentBuiltIn, presentWorkspaceModel, stateOfRegistered } from './model-presenter.ts';
import { Family, Kind, RunnableModel, State } from './model.schema.ts';

const PATH = '/quant/models';

const filters = {
  kind: Type.Optional(Kind),
  family: Type.Optional(Family),
  state: Type.Optional(State),
  served_on: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Returns only models with a version that was in use at the end of this day (UTC).',
      examples: ['2026-11-21'],
    }),
  ),
};
type Filters = Static<ReturnType<typeof Closed<typeof filters>>>;

export const listModels = defineOperation({
  key: 'quant.models.list',
  product: 'Quant',
  method: 'GET',
  path: PATH,
  scope: 'quant:models:read',
  summary:
    'Lists every model that can be run: the models of the workspace, newest first, then the built-in models.',
  description:
    'Each model has its kind, the serving version, the members of its input, its bounds, and the resource that a ' +
    'run creates. Run a model with `POST /quant/models/{key}/run`.',
  query: Closed({ ...pageQuery, ...filters }),
  success: { status: 200, description: 'A page of models.', schema: ListOf(RunnableModel) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { kind, family, state, served_on: servedOn } = query;
    return listReply(services, query, {
      list: PATH,
      filters: {
        kind: kind ?? null,
        family: family ?? null,
        state: state ?? null,
        served_on: servedOn ?? null,
      },
      rows: (em, page) => rowsOf(em, { kind, family, state, served_on: servedOn } as Filters, page),
      present: (row) =>
        'builtIn' in row ? presentBuiltIn(row.builtIn, row.found) : presentWorkspaceModel(row.own),
      position: (row) => ('builtIn' in row ? row.builtIn.key : row.own.uid),
    });
  },
});

type Row = { own: WorkspaceModel } | { builtIn: BuiltInModel; found: RegisteredModel | undefined };

/** Returns models of the workspace and, after the last of them, built-in models in the order of their keys. */
async function rowsOf(em: Em, filtered: Filters, { after, limit }: PageRequest): Promise<Row[]> {
  const isBuiltIn = after !== undefined && builtInModels().some(({ key }) => key === after);
  const own = isBuiltIn ? [] : await ownModels(em, filtered, { after, limit });
  if (own.length === limit) return own.map((each) => ({ own: each }));
  const found = await registeredModels(em);
  const served = filtered.served_on === undefined ? found : await registeredModels(em, filtered.served_on);
  const listed = builtInModels()
    .filter((model) => isListed(model, filtered, found))
    .filter(({ registered }) => filtered.served_on === undefined || served.get(registered)?.serving)
    .filter(({ key }) => !isBuiltIn || key > after);
  return [
    ...own.map((each) => ({ own: each })),
    ...listed
      .slice(0, limit - own.length)
      .map((builtIn) => ({ builtIn, found: found.get(builtIn.registered) })),
  ];
}

function isListed(
  { kind, family, registered }: BuiltInModel,
  wanted: Filters,
  found: ReadonlyMap<string, RegisteredModel>,
): boolean {
  return (
    (wanted.kind ?? kind) === kind &&
    (wanted.family ?? family) === family &&
    (wanted.state === undefined || wanted.state === stateOfRegistered(found.get(registered)))
  );
}

async function ownModels(
  em: Em,
  { kind, family, state, served_on: servedOn }: Filters,
  page: PageRequest,
): Promise<WorkspaceModel[]> {
  const families = familiesOf(kind as ModelKind | undefined, family);
  if (families.length === 0) return [];
  return workspaceModels(em, { families, state: state as RunnableState | undefined, servedOn, ...page });
}

function familiesOf(kind: ModelKind | undefined, family: string | undefined): LqmFamily[] {
  return lqmFamilies.filter(
    (each) =>
      (kind ?? purposeOf(each)) === purposeOf(each) &&
      (family ?? each) === each &&
      (generativeFamilies as readonly string[]).includes(each),
  );
}
