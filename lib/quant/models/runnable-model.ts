/** Kinds of models that `POST /quant/models/{key}/run` accepts. */
export const modelKinds = ['analytic', 'statistical', 'prediction', 'generative'] as const;
export type ModelKind = (typeof modelKinds)[number];

/**
 * States of a model: `active` if there is a serving version, `suspended` if there are approved versions but no serving
 * version, `candidate` if no version was approved, and `retired` if all versions are retired.
 */
export const modelStates = ['active', 'suspended', 'candidate', 'retired'] as const;
export type RunnableState = (typeof modelStates)[number];

/** A bound of a run: a quantity, its maximum and its unit. */
export type Bound = { name: string; maximum: number; unit: string };
