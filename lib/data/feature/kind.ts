export const entityTypes = ['instrument', 'company', 'workspace'] as const;
/** The kind of entity that the values of a feature describe. */
export type EntityType = (typeof entityTypes)[number];

export const featureFrequencies = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type FeatureFrequency = (typeof featureFrequencies)[number];
