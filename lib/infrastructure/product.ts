import { defineProduct } from '#lib/core/product.ts';

/** The published operations of this product. They are not offered yet. */
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
