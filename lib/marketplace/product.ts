import { defineProduct } from '#lib/core/product.ts';

/** The published names of what is not offered yet. */
export const marketplace = defineProduct({
  folder: 'marketplace',
  serves: { Marketplace: { paths: ['/marketplace'], about: 'What is offered to workspaces.' } },
  scopes: ['marketplace:read'],
});
