import { ExpressionRefused } from '../feature-expression/token.ts';
import { columnsOf, partsOf, type Expression } from '../feature-expression/expression.ts';
import { reachOf } from '../feature-expression/reach.ts';
import { parseExpression } from '../feature-expression/parse.ts';
import { printExpression } from '../feature-expression/print.ts';
import type { EntityType, FeatureFrequency } from '#lib/data/feature/kind.ts';
import { isWorkspaceMetric } from '#lib/data/metric.ts';
import { isOfOneEntity, keysOf, readableOf, sourceOf } from './source.ts';

/** The definition of a feature as written by a person. */
export type FeatureDefinition = {
  key: string;
  entityType: EntityType;
  unit: string;
  frequency: FeatureFrequency;
  expression: string;
  maxAgeDays: number;
  description: string;
};

/** An error in a definition, and the member that contains it. */
export type DefinitionFault = { member: 'entity_type' | 'dataset' | 'expression'; reason: string };

/** The maximum number of earlier periods that an expression may depend on. */
const REACH_MAX = 100_000;
const PARTS_MAX = 200;

/**
 * Checks whether a feature can be computed from a kind of dataset. Returns the canonical form of the
 * expression, or the error.
 */
export function checkDefinition(
  { entityType, expression: text }: Pick<FeatureDefinition, 'entityType' | 'expression'>,
  datasetKind: string,
): { ok: true; expression: string } | { ok: false; fault: DefinitionFault } {
  const source = sourceOf(datasetKind);
  if (!source) return refused('dataset', `features cannot be computed from a dataset of ${datasetKind}`);
  try {
    const expression = parseExpression(text, readableOf(source));
    const ofWorkspace =
      source.ofWorkspace === undefined ? [] : keysOf(source, columnsOf(expression)).map(isWorkspaceMetric);
    if (ofWorkspace.includes(true) && ofWorkspace.includes(false)) {
      return refused('expression', 'the expression mixes metrics of the workspace and metrics of companies');
    }
    const observed = ofWorkspace.includes(true) ? 'workspace' : source.entityType;
    if (observed !== entityType) {
      return refused(
        'entity_type',
        `must be ${observed} for this expression over a dataset of ${datasetKind}`,
      );
    }
    if (countOf(expression) > PARTS_MAX)
      return refused('expression', `the expression has more than ${PARTS_MAX} parts`);
    if (reachOf(expression) > REACH_MAX) {
      return refused('expression', `the functions together look back more than ${REACH_MAX} periods`);
    }
    const columns = columnsOf(expression);
    if (isOfOneEntity(source, columns) && columns.some((column) => Object.hasOwn(source.columns, column))) {
      return refused(
        'expression',
        'the expression mixes named series with the column `value`, which reads each series separately',
      );
    }
    return { ok: true, expression: printExpression(expression) };
  } catch (error) {
    if (error instanceof ExpressionRefused) return refused('expression', error.message);
    throw error;
  }
}

function refused(member: DefinitionFault['member'], reason: string) {
  return { ok: false as const, fault: { member, reason } };
}

function countOf(expression: Expression): number {
  return partsOf(expression).reduce((count, part) => count + countOf(part), 1);
}
