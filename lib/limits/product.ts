import { defineProduct } from '#lib/core/product.ts';

/** Rate limits and penalties. */
export const limits = defineProduct({
  folder: 'limits',
  problems: {
    slow_down: { status: 429, title: 'Too many failed authentication attempts' },
    rate_limit_exceeded: { status: 429, title: 'The rate limit is exceeded' },
  },
  tables: {
    /** No role has privileges on this table. Only functions that run as the owner of the table change the counts. */
    rate_limit: { rows: 'nobody' },
    penalty: { rows: 'nobody' },
  },
});
