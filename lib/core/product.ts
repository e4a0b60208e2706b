/** What a role may do to a table, as PostgreSQL's `grant` says it. Roles that are not named may do nothing. */
type Grants = { readonly operator?: string; readonly api?: string; readonly worker?: string };

/** Whose the rows of a table are: of a workspace in one environment, of a workspace in both, or of nobody. */
export type RowOwner = 'environment' | 'workspace' | 'nobody';

/**
 * An event in a sentence; where there is more to it, which details of the audit entry it carries (names of records,
 * states and codes, never free text), and whether it reports what was done, a refusal, or either.
 */
export type EventDeclaration =
  | string
  | {
      readonly about: string;
      readonly members?: readonly string[];
      readonly outcome?: 'done' | 'refused' | 'either';
    };

/** The beginnings of the paths of a published product; what it is about, which one manifest says where several serve it. */
export type Served = { readonly paths: readonly string[]; readonly about?: string };

/** What a product, or a part of the platform, brings. `lib/products.ts` lists the manifests and derives the tables. */
export type Manifest = {
  /** Its folder below `api/`, `lib/` and `workers/`. */
  readonly folder: string;
  /** The folders that hold its code, where that is not `folder` alone. */
  readonly code?: readonly string[];
  /** The products of the published interface that it serves, by their names there. */
  readonly serves?: Readonly<Record<string, Served>>;
  /** The folders of the products whose code its own may import. */
  readonly uses?: readonly string[];
  readonly scopes?: readonly string[];
  /** The public ids of its resources. */
  readonly prefixes?: Readonly<Record<string, string>>;
  /** The errors that only it answers, each with its HTTP status. */
  readonly problems?: Readonly<Record<string, { readonly status: number; readonly title: string }>>;
  /** Its tables: whose the rows are, and what each role may do. */
  readonly tables?: Readonly<Record<string, Grants & { readonly rows: RowOwner }>>;
  /** The events of its entries in the audit log by their `op`, grouped by the scope that it takes to see them. */
  readonly events?: Readonly<Record<string, Readonly<Record<string, EventDeclaration>>>>;
};

/** Declares a product. The file of a manifest imports nothing else, so that anything may import the manifests. */
export function defineProduct<const Declared extends Manifest>(manifest: Declared): Declared {
  return manifest;
}

/** Only operators write; API and workers read. */
export const operatorWrites = {
  operator: 'select, insert, update',
  api: 'select',
  worker: 'select',
} as const;
/** As above, and no row changes. */
export const operatorAppends = { operator: 'select, insert', api: 'select', worker: 'select' } as const;
/** As above, in bulk: whoever brings the rows also brings the planner's statistics up to date. */
export const operatorImports = {
  operator: 'select, insert, maintain',
  api: 'select',
  worker: 'select',
} as const;
