import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { scopes, type Scope } from '#lib/core/scope.ts';
import type { Caller } from '#lib/core/operation.ts';
import { runs } from '#lib/runs.ts';
import { installationStates } from '#lib/workflows/catalogue/installation-states.ts';
import type { FoundInstallation } from '#lib/workflows/catalogue/installation.query.ts';
import { scopesOf } from '#lib/workflows/definition.ts';
import { WorkflowKey } from '#lib/workflows/definition.schema.ts';

export const ItemVersion = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'The version of the item in the library.',
  examples: [1],
});

export const ScopeList = (description: string) =>
  Type.Array(Type.Enum([...scopes]), {
    maxItems: scopes.length,
    uniqueItems: true,
    description,
    examples: [[]],
  });

export const InstallationStateField = Type.Enum([...installationStates], {
  description:
    'The state. `enabled` is derived: a version that was proposed from the installation is published. `superseded`: another installation has replaced it.',
});

export const InstallationResource = Closed(
  {
    uid: Uid(prefixes.workflowInstallation, 'The installation.'),
    key: WorkflowKey,
    version: ItemVersion,
    digest: Sha256Of('SHA-256 of the RFC 8785 form of the installed content.'),
    state: InstallationStateField,
    parameters_hash: Sha256Of('SHA-256 of the RFC 8785 form of the parameters.'),
    replaces: Nullable(
      Uid(prefixes.workflowInstallation, 'The replaced installation.'),
      'The installation that this installation replaced; null if it replaced none.',
    ),
    grants: Closed(
      {
        scopes: Type.Array(Type.Enum([...scopes]), {
          maxItems: 0,
          description: 'Always empty: an installation grants no scope.',
          examples: [[]],
        }),
        run_authority: Type.Literal(false, {
          description: 'Always false: an installation gives no right to run.',
          examples: [false],
        }),
      },
      { description: 'The rights that the installation grants: none.' },
    ),
    missing: Closed(
      {
        scopes: ScopeList('The scopes that the workflow needs and the calling application lacks.'),
        entitlements: ScopeList('The scopes that the workflow needs and the workspace is not entitled to.'),
      },
      { description: 'The requirements that are missing before the workflow can run.' },
    ),
    next: Nullable(
      Type.String({
        pattern: '^assay workflow publish [a-z0-9-]+ --installation wfi_[0-9A-Z]{26}$',
        maxLength: 160,
        examples: ['assay workflow publish month-end-themes --installation wfi_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
      }),
      'The command with which a person proposes a version from the installation; null if there is nothing to propose.',
    ),
    created_at: InstantOf('When the workflow was installed.'),
  },
  { title: 'WorkflowInstallation', description: 'An installed workflow of the library.' },
);

/** Returns the wire form of an installation. `missing` depends on the scopes and entitlements of the caller. */
export function presentInstallation(
  { installation, state }: FoundInstallation,
  caller: Pick<Caller, 'scopes' | 'entitlements'>,
): Static<typeof InstallationResource> {
  const { uid, key, version, digest, definition, parametersHash, replacesUid, createdAt } = installation;
  const needed = scopesOf(definition, runs);
  const without = (held: ReadonlySet<string>): Scope[] => needed.filter((scope) => !held.has(scope));
  return {
    uid,
    key,
    version,
    digest,
    state,
    parameters_hash: parametersHash,
    replaces: replacesUid ?? null,
    grants: { scopes: [], run_authority: false },
    missing: { scopes: without(caller.scopes), entitlements: without(caller.entitlements) },
    next: state === 'installed_disabled' ? `assay workflow publish ${key} --installation ${uid}` : null,
    created_at: createdAt.toISOString(),
  };
}
