import { defineProduct } from '#lib/core/product.ts';

/** Lineage, usage, and the state of the deployment. The terms on which data may be used belong to the product data. */
export const infrastructure = defineProduct({
  folder: 'infrastructure',
  serves: {
    Infrastructure: {
      paths: ['/infrastructure'],
      about: 'The parts that the service runs on, and the lineage of its results.',
    },
  },
  scopes: ['infrastructure:read', 'infrastructure:lineage'],
});
