import { exportsBelow } from '#lib/core/discover.ts';
import type { Operation } from '#lib/core/operation.ts';
import { manifests } from '#lib/products.ts';
import { withDataRights } from './data-rights.ts';
import { simulatePolicy } from './actions/policy-simulation.ts';
import { askQlm } from './qlms/ask-tool.ts';
import type { OwnTool } from './derive/tool.ts';
import { verifyEvidencePack } from './trust/pack-verification.ts';

const folders = manifests.map(({ folder }) => folder);

/**
 * The catalog of every operation, from the declarations in the products' folders. The router, validation, OpenAPI
 * document, docs and contract tests are derived from the catalog.
 */
export const catalog: readonly Operation[] = (
  await exportsBelow(import.meta.dirname, `{${folders.join(',')}}/**/*.ts`)
)
  .filter(isOperation)
  .map(withDataRights);

/** Agent tools that are not derived from an operation. */
export const ownTools: readonly OwnTool[] = [simulatePolicy, verifyEvidencePack, askQlm];

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'handle' in value && 'path' in value;
}
