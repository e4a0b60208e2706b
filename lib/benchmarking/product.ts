import { defineProduct } from '#lib/core/product.ts';

/** The published names of what is not offered yet. */
export const benchmarking = defineProduct({
  folder: 'benchmarking',
  serves: { Benchmarking: ['/benchmarking'] },
  scopes: ['benchmark:read'],
});
