import { access } from './access/product.ts';
import { actions } from './actions/product.ts';
import { agents } from './agents/product.ts';
import { ai } from './ai/product.ts';
import { audit } from './audit/product.ts';
import { benchmarking } from './benchmarking/product.ts';
import { cells } from './cells/product.ts';
import { commercial } from './commercial/product.ts';
import type { AskedRecords, EventDeclaration, Manifest, Served } from './core/product.ts';
import { data } from './data/product.ts';
import { events as eventing } from './events/product.ts';
import { forecasting } from './forecasting/product.ts';
import { governance } from './governance/product.ts';
import { infrastructure } from './infrastructure/product.ts';
import { intelligence } from './intelligence/product.ts';
import { investment } from './investment/product.ts';
import { ledger } from './ledger/product.ts';
import { limits } from './limits/product.ts';
import { marketplace } from './marketplace/product.ts';
import { models } from './models/product.ts';
import { ops } from './ops/product.ts';
import { pipeline } from './pipeline/product.ts';
import { qlms } from './qlms/product.ts';
import { quant } from './quant/product.ts';
import { research } from './research/product.ts';
import { trust } from './trust/product.ts';
import { workflows } from './workflows/product.ts';

/**
 * Every manifest: the platform, then the base that all products share, then the products. A new product needs one
 * import and one entry here.
 */
const listed = [
  ops,
  limits,
  audit,
  governance,
  pipeline,
  eventing,
  access,
  data,
  ledger,
  forecasting,
  models,
  qlms,
  research,
  quant,
  investment,
  actions,
  workflows,
  trust,
  intelligence,
  commercial,
  ai,
  agents,
  infrastructure,
  marketplace,
  benchmarking,
  cells,
] as const;

type Listed = typeof listed;
type Each = Listed[number];

export const manifests: readonly Manifest[] = listed;

/** The names of the products of the published interface. */
export type Product = Extract<Names<Each, 'serves'>, string>;
export const products = namesOf('serves') as Product[];

/** The folder of each product of the published interface, by its path prefixes below `/api/v2`. */
export const served: readonly { product: Product; folder: string; path: string }[] = manifests.flatMap(
  ({ folder, serves = {} }) =>
    (Object.entries(serves) as [Product, Served][]).flatMap(([product, { paths }]) =>
      paths.map((path) => ({ product, folder, path })),
    ),
);

/** The description of each product of the published interface, by its published name. */
export const productTexts = Object.fromEntries(
  manifests.flatMap(({ serves = {} }) =>
    Object.entries(serves).flatMap(([product, { about }]) => (about === undefined ? [] : [[product, about]])),
  ),
) as Record<Product, string>;

export type Scope = Names<Each, 'scopes'>;
export const scopes = namesOf(unique('scopes')) as Scope[];

export const prefixes = merged(unique('prefixes'));
export const problems = merged(unique('problems'));
export const tables = merged(unique('tables'));

/** The records that questions may be about, by the key of their measure. */
export const asked: Readonly<Record<string, AskedRecords>> = Object.fromEntries(
  manifests.flatMap((manifest) => Object.entries(manifest.asked ?? {})),
);

export type DeclaredEvent = { scope: Scope; op: string; event: EventDeclaration };
export const events: readonly DeclaredEvent[] = manifests
  .flatMap(({ [unique('events')]: byScope = {} }) => Object.entries(byScope) as [EventScope, Events][])
  .flatMap(([scope, ops]) => Object.entries(ops).map(([op, event]) => ({ scope, op, event })))
  .sort((one, other) => ascending(one.op, other.op));

type Events = Readonly<Record<string, EventDeclaration>>;

/** A scope of events. An event under an undeclared scope is a compile error. */
type EventScope = Each extends infer M ? (M extends { readonly events: infer E } ? keyof E : never) : never;

/**
 * The names that a manifest declares in a part: entries of a list, keys of a table, or the events within each scope.
 */
type Names<M, Part extends keyof Manifest> = M extends { readonly [P in Part]: infer Declared }
  ? Declared extends readonly (infer Entry)[]
    ? Entry
    : Part extends 'events'
      ? Keys<Declared[keyof Declared]>
      : keyof Declared
  : never;

type Keys<T> = T extends unknown ? keyof T : never;

/** The names that more than one manifest declares. */
type Repeated<List, Part extends keyof Manifest, Seen = never> = List extends readonly [
  infer First,
  ...infer Rest,
]
  ? Extract<Names<First, Part>, Seen> | Repeated<Rest, Part, Seen | Names<First, Part>>
  : never;

/**
 * Merges a part of all manifests in which no name may be declared twice. A duplicate causes a compile error that names
 * the duplicate.
 */
function unique<const Part extends keyof Manifest>(
  part: [Repeated<Listed, Part>] extends [never] ? Part : { declaredTwice: Repeated<Listed, Part> },
): Part {
  return part as Part;
}

type Table = 'prefixes' | 'problems' | 'tables';

/**
 * Merges the tables of all manifests. The keys are in alphabetical order, independent of the order of the manifests.
 */
function merged<Part extends Table>(part: Part): Merged<Part> {
  const entries = manifests.flatMap((manifest) => Object.entries<unknown>(manifest[part] ?? {}));
  return Object.fromEntries(entries.sort(([one], [other]) => ascending(one, other))) as Merged<Part>;
}

type Merged<Part extends Table> = Pick<Both<Each, Part>, keyof Both<Each, Part>>;

/** Combines the declarations of a union of manifests into their intersection. */
type Both<M, Part extends Table> = (
  M extends { readonly [P in Part]: infer Declared } ? (given: Declared) => void : never
) extends (given: infer All) => void
  ? All
  : never;

function namesOf(part: 'serves' | 'scopes'): string[] {
  const names = manifests.flatMap(({ [part]: declared = {} }) =>
    Array.isArray(declared) ? (declared as string[]) : Object.keys(declared),
  );
  return [...new Set(names)].sort(ascending);
}

function ascending(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
