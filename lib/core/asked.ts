import { asked } from '#lib/products.ts';

/** The records that questions in plain English may be about. Each product declares its own records. */
export { asked };
