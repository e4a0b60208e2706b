import { defineProduct } from '#lib/core/product.ts';

/** The published names of what is not offered yet. */
export const benchmarking = defineProduct({
  folder: 'benchmarking',
  serves: {
    Benchmarking: {
      paths: ['/benchmarking'],
      about: 'How models and forecasts did against their benchmarks.',
    },
  },
  scopes: ['benchmark:read'],
});
