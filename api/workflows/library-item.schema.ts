import Type, { type Static } from 'typebox';
import { wireMinor } from '#lib/core/money.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Line, Minor, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { runs } from '#lib/runs.ts';
import { inputsSchemaOf } from '#lib/workflows/catalogue/inputs-schema.ts';
import type { FoundItem } from '#lib/workflows/catalogue/found-items.query.ts';
import { scopesOf } from '#lib/workflows/definition.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';
import { categories } from '#lib/workflows/library.ts';
import { InstallationStateField, ItemVersion, ScopeList } from './installation.schema.ts';

export const Category = Type.Enum([...categories], { description: 'The subject of the workflow.' });

/** The states in which an item is listed. */
export const listedStates = ['published', 'deprecated'] as const;

export const LibraryItemResource = Closed(
  {
    key: WorkflowKey,
    version: ItemVersion,
    title: Line(200, 'The title.', 'Themes at the end of the month'),
    description: Line(500, 'A short description.', 'Runs the theme factors and reports on them.'),
    category: Category,
    publisher: Line(100, 'The publisher of the workflow. `Assay` if it comes with Assay.', 'Assay'),
    digest: Sha256Of('SHA-256 of the RFC 8785 form of the content.'),
    risk_tier: Type.Enum(['T1', 'T2'], { description: 'The risk tier, which the policies read.' }),
    inputs_schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The JSON Schema (2020-12) of the parameters.',
      examples: [
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          additionalProperties: false,
          required: [],
          properties: {
            as_of_date: { type: ['string', 'null'], format: 'date', description: 'The last day to use.' },
          },
        },
      ],
    }),
    required_scopes: ScopeList('The scopes that the application of a run needs.'),
    required_entitlements: ScopeList('The scopes that the workspace must be entitled to.'),
    steps: Type.Integer({ minimum: 1, maximum: 50, description: 'The number of steps.', examples: [3] }),
    cost_estimate: Nullable(
      Closed(
        {
          currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] }),
          per_run_minor: Minor('The mean cost of a run in minor units, rounded half to even.'),
          n: Type.Integer({ minimum: 20, maximum: 500, description: 'The number of runs.', examples: [64] }),
          basis: Type.Literal('metered', { description: 'The cost was metered.' }),
        },
        { description: 'The mean metered cost of the newest runs of the workspace.' },
      ),
      "The mean metered cost of the workspace's own newest runs of the workflow; null below 20 runs, without a rate, or with several currencies.",
    ),
    status: Type.Enum([...listedStates], {
      description: 'The status. `deprecated`: the workflow can be installed, but should be replaced.',
    }),
    installed: Nullable(
      Closed(
        {
          uid: Uid(prefixes.workflowInstallation, 'The installation.'),
          version: ItemVersion,
          installed_at: InstantOf('When the workflow was installed.'),
          state: InstallationStateField,
        },
        { description: 'The installation of the workflow.' },
      ),
      'The live installation of the workflow in the environment, in any version; null if it is not installed.',
    ),
  },
  { title: 'WorkflowLibraryItem', description: 'A workflow of the library.' },
);

/** Returns the wire form of a library item. */
export function presentItem({ item, installed, cost }: FoundItem): Static<typeof LibraryItemResource> {
  const { key, version, category, publisher, digest, definition, state } = item;
  const scopes = scopesOf(definition, runs);
  return {
    key,
    version,
    title: definition.title,
    description: definition.description,
    category,
    publisher,
    digest,
    risk_tier: definition.risk_tier,
    inputs_schema: inputsSchemaOf(definition),
    required_scopes: scopes,
    required_entitlements: scopes,
    steps: definition.steps.length,
    cost_estimate: cost
      ? { currency: cost.currency, per_run_minor: wireMinor(cost.perRunMinor), n: cost.n, basis: 'metered' }
      : null,
    status: state === 'deprecated' ? 'deprecated' : 'published',
    installed: installed
      ? {
          uid: installed.installation.uid,
          version: installed.installation.version,
          installed_at: installed.installation.createdAt.toISOString(),
          state: installed.state,
        }
      : null,
  };
}
