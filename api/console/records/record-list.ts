import type { Area } from '../page.ts';

/** A list of records: where its rows come from, and what its table shows. */
export type RecordList = {
  /** The last part of the address, such as `delegations`. */
  readonly place: string;
  readonly area: Area;
  readonly title: string;
  /** A sentence that says what the records are. */
  readonly about: string;
  /** The operation that lists the records. */
  readonly list: string;
  /** The operation that reads one record, and the parameter of its path; omitted if single records have no page. */
  readonly read?: { readonly operation: string; readonly parameter: string };
  /** Whether the page of a single record is declared in another file. */
  readonly hasOwnPage?: boolean;
  /** The member of a row whose value is part of the address of the row's page. */
  readonly id: string;
  /** The prefix of the records' uids, by which `Find` finds the page of a record. */
  readonly prefix?: string;
  /** Columns: the heading, and the path of members in a row. */
  readonly columns: readonly (readonly [heading: string, path: string])[];
  /** Filters: the query parameter, and its values. */
  readonly filter?: { readonly name: string; readonly values: readonly string[] };
  /** The command that creates the first record. */
  readonly firstBy: string;
};
