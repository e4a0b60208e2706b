import { ExpressionRefused } from '../feature-expression/token.ts';
import { columnsOf, partsOf, type Expression } from '../feature-expression/expression.ts';
import { reachOf } from '../feature-expression/reach.ts';
import { parseExpression } from '../feature-expression/parse.ts';
import { printExpression } from '../feature-expression/print.ts';
import type { EntityType, FeatureFrequency } from '#lib/data/feature/kind.ts';
import { isWorkspaceMetric } from '#lib/data/metric.ts';
import { isOfOneEntity, keysOf, readableOf, sourceOf } from './source.ts';

/** What a person says of a feature. */
export type FeatureDefinition = {
  key: string;
  entityType: EntityType;
  unit: string;
  frequency: FeatureFrequency;
  expression: string;
  maxAgeDays: number;
  description: string;
};

/** What is wrong with a definition, by the member it is about. */
export type DefinitionFault = { member: 'entity_type' | 'dataset' | 'expression'; reason: string };

/** Periods that all functions of an expression together may look back, and parts that it may have. */
const REACH_MAX = 100_000;
const PARTS_MAX = 200;

/**
 * Whether a feature can be computed from a kind of dataset: the expression in its one form, or what is wrong.
 */
export function checkDefinition(
  { entityType, expression: text }: Pick<FeatureDefinition, 'entityType' | 'expression'>,
  datasetKind: string,
): { ok: true; expression: string } | { ok: false; fault: DefinitionFault } {
  const source = sourceOf(datasetKind);
  if (!source) return refused('dataset', `features are not computed from a dataset of ${datasetKind}`);
  try {
    const expression = parseExpression(text, readableOf(source));
    const ofWorkspace =
      source.ofWorkspace === undefined ? [] : keysOf(source, columnsOf(expression)).map(isWorkspaceMetric);
    if (ofWorkspace.includes(true) && ofWorkspace.includes(false)) {
      return refused('expression', 'it reads metrics of the workspace, and beside them such of companies');
    }
    const observed = ofWorkspace.includes(true) ? 'workspace' : source.entityType;
    if (observed !== entityType) {
      return refused('entity_type', `what it reads of a dataset of ${datasetKind} is of a ${observed} each`);
    }
    if (countOf(expression) > PARTS_MAX) return refused('expression', `it has more than ${PARTS_MAX} parts`);
    if (reachOf(expression) > REACH_MAX) {
      return refused('expression', `its functions look back more than ${REACH_MAX} periods together`);
    }
    const columns = columnsOf(expression);
    if (isOfOneEntity(source, columns) && columns.some((column) => Object.hasOwn(source.columns, column))) {
      return refused('expression', `it reads named series, and beside them each series for itself`);
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
