import { defineProduct } from '#lib/core/product.ts';

/** The published operations of this product. They are not offered yet. */
export const benchmarking = defineProduct({
  folder: 'benchmarking',
  serves: {
    Benchmarking: {
      paths: ['/benchmarking'],
      about: 'The performance of models and forecasts against their benchmarks.',
    },
  },
  scopes: ['benchmark:read'],
});
