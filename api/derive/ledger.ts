import Type, { type Static } from 'typebox';
import type { Operation } from '#lib/core/operation.ts';
import { products, type Product } from '#lib/products.ts';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { addressOf } from './router.ts';

/** A row of the published interface; `refusals` are the statuses that it names beside its success. */
export type Published = {
  key: string;
  product: Product;
  method: string;
  /** From the root, with parameters in braces. */
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
    path: Type.String({ pattern: '^/api/', maxLength: 200, description: 'Path, parameters in braces.' }),
    operation_key: Type.String({
      pattern: '^[a-z_]+([.][a-z_]+)+$',
      maxLength: 100,
      description: 'The stable key of the operation.',
    }),
    scope: Nullable(
      Type.Enum([...scopes], { description: 'A scope.' }),
      'The scope that a credential needs; null where none is needed.',
    ),
    alignment: Type.Enum(['aligned', 'scope_mismatch', 'not_offered', 'addition'], {
      description:
        'How the published contract and the catalog of this service compare: `aligned` (the same scope), ' +
        '`scope_mismatch`, `not_offered` (published, and not in the catalog), `addition` (in the catalog alone).',
    }),
    stability: Type.Enum(['stable'], { description: 'Whether callers may build on it.' }),
    lifecycle: Type.Enum(['published', 'deprecated'], { description: 'Where the operation is in its life.' }),
    change_summary: Type.String({ maxLength: 500, description: 'How it stands, in a sentence or two.' }),
  },
  { title: 'Change', description: 'How one operation stands.' },
);

export const ChangeLedger = Closed(
  {
    data: Type.Array(Change, {
      maxItems: 10_000,
      description: 'Every published operation in the order of the interface, then the additions.',
    }),
    summary: Closed(
      {
        published: Count('Operations of the published contract.'),
        offered: Count('Published operations that this service offers.'),
        additions: Count('Operations that it offers beside them.'),
        scope_mismatches: Count('Published operations that are offered under another scope.'),
        deprecated: Count('Offered operations that are deprecated.'),
      },
      { description: 'The rows, counted.' },
    ),
  },
  {
    title: 'ChangeLedger',
    description: 'Current lifecycle metadata. It has no history, and grants nothing.',
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

/** Compares the published operations with the catalog, row by row. An operation is the same by key, method and path. */
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
    ...lifecycle(operation, operation ? sentence : 'Published; this service does not offer it yet.'),
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
    ...lifecycle(operation, 'Offered beside the published operations.'),
  };
}

function lifecycle(operation: Operation | undefined, sentence: string) {
  const { since, sunset } = operation?.deprecated ?? {};
  const end = sunset === undefined ? '' : ` It is answered until ${sunset}.`;
  return {
    stability: 'stable' as const,
    lifecycle: since === undefined ? ('published' as const) : ('deprecated' as const),
    change_summary: since === undefined ? sentence : `${sentence} Deprecated since ${since}.${end}`,
  };
}
