import { defineProduct } from '#lib/core/product.ts';

/** Rate limits and penalties. */
export const limits = defineProduct({
  folder: 'limits',
  problems: {
    slow_down: { status: 429, title: 'Too many failures to prove who one is' },
    rate_limit_exceeded: { status: 429, title: 'A rate limit is used up' },
  },
  tables: {
    /** Closed to all roles: functions of the owner count in it. */
    rate_limit: { rows: 'nobody' },
    penalty: { rows: 'nobody' },
  },
});
