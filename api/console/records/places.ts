import { kindOfUid } from '../runs/kinds.ts';
import { recordLists } from './lists.ts';

/** Returns the address of the page that shows a record or run; undefined if no page shows it. */
export function placeOfUid(uid: string): string | undefined {
  const prefix = uid.slice(0, 3);
  if (prefix === 'dec') return `/console/decisions/${uid}`;
  const list = recordLists.find((each) => each.prefix === prefix);
  if (list) return `/console/${list.place}/${uid}`;
  return kindOfUid(uid) && `/console/runs/${uid}`;
}
