import { defineProduct } from '#lib/core/product.ts';

/** Questions in plain English, answered from stored facts without a language model. */
export const qlms = defineProduct({
  folder: 'qlms',
  serves: {
    'Model building (QLM)': {
      paths: ['/qlms'],
      about: 'Language front ends bound to a numeric checkpoint.',
    },
  },
  uses: ['ai'],
  scopes: ['qlm:read', 'qlm:evaluate', 'qlm:invoke'],
});
