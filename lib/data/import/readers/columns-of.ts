import type { DatasetKind } from '#lib/data/dataset.entity.ts';
import type { ColumnRules } from './columns.ts';
import { corporateActions } from '../kinds/corporate-actions.ts';
import { economics } from '../kinds/economics.ts';
import { fundamentals } from '../kinds/fundamentals.ts';
import { instruments } from '../kinds/instruments.ts';
import { metrics } from '../kinds/metrics.ts';
import { prices } from '../kinds/prices.ts';
import { taxonomyColumns } from '../kinds/taxonomy-rows.ts';

/** The kinds of files with fixed columns. They exclude numeric datasets, which define their own columns. */
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
