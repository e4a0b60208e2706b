import { defineProduct } from '#lib/core/product.ts';

/** The published names of what is not offered yet. */
export const infrastructure = defineProduct({
  folder: 'infrastructure',
  serves: { Infrastructure: ['/infrastructure'] },
  scopes: ['infrastructure:read', 'infrastructure:lineage'],
});
