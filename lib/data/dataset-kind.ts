export const datasetKinds = [
  'instruments',
  'prices',
  'economics',
  'taxonomy',
  'corporate_actions',
  'fundamentals',
  'metrics',
  'numeric',
] as const;
export type DatasetKind = (typeof datasetKinds)[number];

export const priceBases = ['quoted', 'split_adjusted'] as const;
export type PriceBasis = (typeof priceBases)[number];
