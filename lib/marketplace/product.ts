import { defineProduct } from '#lib/core/product.ts';

/** The published operations of this product. They are not offered yet. */
export const marketplace = defineProduct({
  folder: 'marketplace',
  serves: { Marketplace: { paths: ['/marketplace'], about: 'Offers to workspaces.' } },
  scopes: ['marketplace:read'],
});
