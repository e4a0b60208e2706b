import { Problem } from '#lib/core/problem.ts';
import { definePage } from '../page.ts';
import { placeOfUid } from '../records/places.ts';

/** Redirects to the page of the record with a uid. */
export const findPage = definePage({
  path: '/console/find',
  area: 'Overview',
  render({ query }) {
    const uid = (query['q'] ?? '').trim();
    const place = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/.test(uid) ? placeOfUid(uid) : undefined;
    if (place === undefined)
      throw new Problem('not_found', 'No page of the console shows a record with this uid.');
    return Promise.resolve({ location: place });
  },
});
