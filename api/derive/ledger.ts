import Type, { type Static } from 'typebox';
import type { Operation } from '#lib/core/operation.ts';
import { products, type Product } from '#lib/products.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { addressOf } from './router.ts';

/**
 * An operation of the published interface, as one row. `refusals` are the statuses that the row lists in
 * addition to the success status.
 */
export type Published = {
  key: string;
  product: Product;
  method: string;
  /** The absolute path, with parameters in braces. */
  path: string;
  scope: string | null;
  success: number;
  refusals: number[];
};

const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description });

const Change = Closed(
  {
    product: Type.Enum([...products], { description: 'The product that the operation belongs to.' }),
    method: Type.Enum(['GET', 'POST', 'PUT'], { description: 'HTTP method.' }),
    path: Type.String({
      pattern: '^/api/',
      maxLength: 200,
      description: 'The path, with parameters in braces.',
    }),
    operation_key: Type.String({
      pattern: '^[a-z_]+([.][a-z_]+)+$',
      maxLength: 100,
      description: 'The stable key of the operation.',
    }),
    scope: Nullable(
      Type.Enum([...scopes], { description: 'A scope.' }),
      'The scope that a credential needs; null if the operation needs none.',
    ),
    alignment: Type.Enum(['aligned', 'scope_mismatch', 'not_offered', 'addition'], {
      description:
        'The comparison of the published contract with the catalog of this service: `aligned` (the same scope), `scope_mismatch`, `not_offered` (published, but not in the catalog), `addition` (only in the catalog).',
    }),
    stability: Type.Enum(['stable'], { description: 'Whether callers can rely on the operation.' }),
    lifecycle: Type.Enum(['published', 'deprecated'], {
      description: 'The lifecycle stage of the operation.',
    }),
    change_summary: Type.String({
      maxLength: 500,
      description: 'The status of the operation, in one or two sentences.',
    }),
  },
  { title: 'Change', description: 'The lifecycle status of one operation.' },
);

export const ChangeLedger = Closed(
  {
    data: Type.Array(Change, {
      maxItems: 10_000,
      description: 'Every published operation in the order of the published contract, then the additions.',
    }),
    summary: Closed(
      {
        published: Count('Number of operations in the published contract.'),
        offered: Count('Number of published operations that this service offers.'),
        additions: Count('Number of operations that this service offers in addition to the contract.'),
        scope_mismatches: Count('Number of published operations that are offered under another scope.'),
        deprecated: Count('Number of offered operations that are deprecated.'),
      },
      { description: 'The number of operations by status.' },
    ),
  },
  {
    title: 'ChangeLedger',
    description: 'The current lifecycle metadata of the operations. It has no history and grants no access.',
    examples: [
      {
        data: [
          {
            product: 'Investment analytics',
            method: 'POST',
            path: '/api/v2/investment/theme-watch/factors',
            operation_key: 'investment.theme_watch.factors.create',
            scope: 'investment:run',
            alignment: 'aligned',
            stability: 'stable',
            lifecycle: 'published',
            change_summary: 'Offered as published.',
          },
        ],
        summary: { published: 1, offered: 1, additions: 0, scope_mismatches: 0, deprecated: 0 },
      },
    ],
  },
);

export type Change = Static<typeof Change>;
export type ChangeLedger = Static<typeof ChangeLedger>;

/**
 * Compares the published operations with the catalog, row by row. Operations are equal if key, method and
 * path are equal.
 */
export function changeLedger(published: readonly Published[], catalog: readonly Operation[]): ChangeLedger {
  const offered = new Map(
    catalog.map((operation) => [identity({ ...operation, path: addressOf(operation) }), operation]),
  );
  const isPublished = new Set(published.map((row) => identity(row)));
  const additions = [...offered].filter(([id]) => !isPublished.has(id)).map(([, operation]) => operation);
  const data = [
    ...published.map((row) => publishedRow(row, offered.get(identity(row)))),
    ...additions.map(additionRow),
  ];
  const count = (holds: (row: Change) => boolean) => data.filter(holds).length;
  return {
    data,
    summary: {
      published: published.length,
      offered: count(({ alignment }) => alignment === 'aligned' || alignment === 'scope_mismatch'),
      additions: count(({ alignment }) => alignment === 'addition'),
      scope_mismatches: count(({ alignment }) => alignment === 'scope_mismatch'),
      deprecated: count(({ lifecycle }) => lifecycle === 'deprecated'),
    },
  };
}

function identity({ key, method, path }: { key: string; method: string; path: string }) {
  return `${key} ${method} ${path}`;
}

function publishedRow(row: Published, operation: Operation | undefined): Change {
  const offeredScope = operation && (operation.scope ?? null);
  const isAligned = offeredScope === row.scope;
  const sentence = isAligned
    ? 'Offered as published.'
    : `Published under ${row.scope ?? 'no scope'}, offered under ${offeredScope ?? 'no scope'}.`;
  return {
    product: row.product,
    method: row.method as Change['method'],
    path: row.path,
    operation_key: row.key,
    scope: row.scope as Change['scope'],
    alignment: operation ? (isAligned ? 'aligned' : 'scope_mismatch') : 'not_offered',
    ...lifecycle(operation, operation ? sentence : 'Published, but not offered by this service yet.'),
  };
}

function additionRow(operation: Operation): Change {
  return {
    product: operation.product,
    method: operation.method,
    path: addressOf(operation),
    operation_key: operation.key,
    scope: operation.scope ?? null,
    alignment: 'addition',
    ...lifecycle(operation, 'Offered in addition to the published operations.'),
  };
}

function lifecycle(operation: Operation | undefined, sentence: string) {
  const { since, sunset } = operation?.deprecated ?? {};
  const end = sunset === undefined ? '' : ` It remains available until ${sunset}.`;
  return {
    stability: 'stable' as const,
    lifecycle: since === undefined ? ('published' as const) : ('deprecated' as const),
    change_summary: since === undefined ? sentence : `${sentence} Deprecated since ${since}.${end}`,
  };
}
