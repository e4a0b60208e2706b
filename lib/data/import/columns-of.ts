import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { ColumnRules } from './columns.ts';
import { corporateActions } from './corporate-actions.ts';
import { economics } from './economics.ts';
import { fundamentals } from './fundamentals.ts';
import { instruments } from './instruments.ts';
import { metrics } from './metrics.ts';
import { prices } from './prices.ts';
import { taxonomyColumns } from './taxonomy-rows.ts';

/** A kind of file whose columns are given; those of a numeric dataset are its own. */
export type ColumnedKind = Exclude<DatasetKind, 'numeric'>;

export const columnsOf: Record<ColumnedKind, ColumnRules> = {
  prices: prices.columns,
  instruments: instruments.columns,
  economics: economics.columns,
  taxonomy: taxonomyColumns,
  corporate_actions: corporateActions.columns,
  fundamentals: fundamentals.columns,
  metrics: metrics.columns,
};

export const columnedKinds = Object.keys(columnsOf) as ColumnedKind[];
