/**
 * The privileges of database roles on a table, in the syntax of PostgreSQL's `grant`. Roles that are not listed have no
 * privileges.
 */
type Grants = {
  readonly operator?: string;
  readonly api?: string;
  readonly worker?: string;
  /** The role of the browser console. Default: it reads every table that the API reads. */
  readonly console?: string;
};

/** The owner of a table's rows: a workspace in one environment, a workspace in both environments, or nobody. */
export type RowOwner = 'environment' | 'workspace' | 'nobody';

/**
 * The declaration of an event: a sentence that describes it, or an object with this sentence (`about`).
 * `members` are the details of the audit entry that the event publishes: names of records, states and codes,
 * never free text. `outcome` states whether the event reports a change, a refusal, or either.
 */
export type EventDeclaration =
  | string
  | {
      readonly about: string;
      readonly members?: readonly string[];
      readonly outcome?: 'done' | 'refused' | 'either';
    };

/**
 * The path prefixes and the description of a published product. If several manifests serve a product, one manifest
 * describes the product.
 */
export type Served = { readonly paths: readonly string[]; readonly about?: string };

/** A field of records that questions may be about: its column, how its value is read, and its names in questions. */
export type AskedField = {
  readonly column: string;
  readonly reads: 'text' | 'day' | 'count';
  readonly names: readonly string[];
};

/**
 * The declaration of records that questions in plain English may be about. It names the table, so the records can be
 * counted, listed and described without further code.
 */
export type AskedRecords = {
  /** The name of one record, in the middle of a sentence. */
  readonly title: string;
  /** The domain of the questions. Its scope opens the records. */
  readonly domain: 'trust' | 'data' | 'execution' | 'actions';
  /** The words for the records in questions. */
  readonly names: readonly string[];
  readonly table: string;
  /** The owner of the rows. `entitled`: datasets that the workspace may read. */
  readonly rows: 'environment' | 'entitled';
  /** The columns of the uid, and of the text by which people refer to a record. */
  readonly uid: string;
  readonly label: string;
  /** The values of columns that the rows must have. */
  readonly only?: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, AskedField>>;
  /**
   * Figures that are not columns, with the words for them: amounts by currency, or counts. The language has a reader for
   * each noun with figures.
   */
  readonly figures?: Readonly<
    Record<string, { readonly reads: 'money' | 'count'; readonly names: readonly string[] }>
  >;
  /** The words for the values of fields, such as states. */
  readonly words?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The field that a date in a question is about. */
  readonly day?: string;
};

/**
 * The declarations of a product, or of a part of the platform. `lib/products.ts` lists the manifests and
 * derives the tables.
 */
export type Manifest = {
  /** The product's folder below `api/`, `lib/` and `workers/`. */
  readonly folder: string;
  /** The folders of the product's code, if the code is not only in `folder`. */
  readonly code?: readonly string[];
  /** The products of the published interface that this product serves, by their published names. */
  readonly serves?: Readonly<Record<string, Served>>;
  /** The folders of the products whose code this product may import. */
  readonly uses?: readonly string[];
  readonly scopes?: readonly string[];
  /** The prefixes of the public ids of the product's resources. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** The errors that only this product returns, each with its HTTP status. */
  readonly problems?: Readonly<Record<string, { readonly status: number; readonly title: string }>>;
  /** The tables of the product, with the owner of the rows and the privileges of each role. */
  readonly tables?: Readonly<Record<string, Grants & { readonly rows: RowOwner }>>;
  /** The records that questions in plain English may be about, by the key of their measure. */
  readonly asked?: Readonly<Record<string, AskedRecords>>;
  /** The events of the product's audit log entries by their `op`, grouped by the scope that may read them. */
  readonly events?: Readonly<Record<string, Readonly<Record<string, EventDeclaration>>>>;
};

/** Declares a product. The file of a manifest imports no other module, so that any file may import the manifests. */
export function defineProduct<const Declared extends Manifest>(manifest: Declared): Declared {
  return manifest;
}

/** Privileges on a table that only operators write. The API and workers read it. */
export const operatorWrites = {
  operator: 'select, insert, update',
  api: 'select',
  worker: 'select',
} as const;
/** Privileges on a table to which only operators append. No row changes. */
export const operatorAppends = { operator: 'select, insert', api: 'select', worker: 'select' } as const;
/** Privileges on a table that operators write in bulk imports. The import also updates the planner's statistics. */
export const operatorImports = {
  operator: 'select, insert, maintain',
  api: 'select',
  worker: 'select',
} as const;
