export const entityTypes = ['instrument', 'company', 'workspace'] as const;
/** What a value of a feature is about. */
export type EntityType = (typeof entityTypes)[number];

export const featureFrequencies = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type FeatureFrequency = (typeof featureFrequencies)[number];
