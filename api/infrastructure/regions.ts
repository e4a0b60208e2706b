import Type from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { homeRegion } from '#lib/infrastructure/deployment/home-region.query.ts';
import { defineOperation } from '../services.ts';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });

const Region = Closed(
  {
    key: text('The region.', 'local'),
    name: text('The name of the region.', 'Local'),
    jurisdiction: Nullable(
      Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code.', examples: ['DE'] }),
      'The country whose law applies, ISO 3166-1; null if not stated.',
    ),
    residency: Type.Enum(['pinned', 'replicated'], { description: 'Whether data leaves the region.' }),
    status: Type.Enum(['available', 'degraded', 'unavailable'], { description: 'The stated status.' }),
    services: Type.Array(text('A service.', 'api'), { description: 'The services in the region.' }),
    workspace_home: Type.Boolean({
      description: 'Whether the data of the workspace is stored in this region.',
    }),
  },
  { title: 'Region', description: 'A region of the deployment.' },
);

export const listRegions = defineOperation({
  key: 'infrastructure.regions.list',
  product: 'Infrastructure',
  method: 'GET',
  path: '/infrastructure/regions',
  scope: 'infrastructure:read',
  summary: 'Lists the regions of the deployment.',
  description:
    'Returns the regions that the deployment file states. The process checked the file at startup.',
  query: Closed({}),
  success: {
    status: 200,
    description: 'The regions.',
    schema: Closed(
      { data: Type.Array(Region, { description: 'The regions.' }) },
      { title: 'Regions', description: 'The regions of the deployment.' },
    ),
  },
  problems: [],
  async handle({ services, caller }) {
    const home = await services.lookUp(homeRegion, caller.workspace);
    const data = services.deployment.regions.map((region) => ({
      ...region,
      workspace_home: region.key === home,
    }));
    return { status: 200, body: { data } };
  },
});
