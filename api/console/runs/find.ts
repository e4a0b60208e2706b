import { Problem } from '#lib/core/problem.ts';
import { definePage } from '../page.ts';
import { recordPlaces } from '../records/places.ts';
import { kindOfUid } from './kinds.ts';

/** Redirects to the page of the record with a uid. */
export const findPage = definePage({
  path: '/console/find',
  area: 'Overview',
  render({ query }) {
    const uid = (query['q'] ?? '').trim();
    const place = kindOfUid(uid) ? `/console/runs/${uid}` : recordPlaces.get(uid.slice(0, 3));
    if (!/^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/.test(uid) || place === undefined)
      throw new Problem('not_found', 'No page of the console shows a record with this uid.');
    return Promise.resolve({
      location: place.startsWith('/console/runs/') ? place : `${place}/${uid}`,
    });
  },
});
