import type { DatasetKind } from '#lib/data/dataset-kind.ts';
import {
  answerUse,
  countUse,
  hideDenied,
  type AnsweredUse,
  type AskedUse,
} from '#lib/data/rights/ask-rights.query.ts';
import type { Operation } from '#lib/core/operation.ts';
import type { Em, Orm, Tenant, TransactionOptions } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';

/** A use of data by a request. The time of the use is added when the use is decided. */
export type RequestedUse = Pick<AskedUse, 'action' | 'rows' | 'kind'>;

type Transaction = <T>(work: (em: Em) => Promise<T>, options: TransactionOptions) => Promise<T>;

const ROWS_USUAL = 50;

/** The kinds of datasets by the last matching segment of a path. */
const kinds: readonly [segment: string, kind: DatasetKind][] = [
  ['/instruments', 'instruments'],
  ['/prices', 'prices'],
  ['/corporate-actions', 'corporate_actions'],
  ['/fundamentals', 'fundamentals'],
  ['/economics', 'economics'],
  ['/metrics', 'metrics'],
];

/**
 * Wraps the operations that read the content of datasets, so that each read first checks the data entitlements of the
 * workspace. A file of all rows is an export; a page is a read.
 */
export function withDataRights(operation: Operation): Operation {
  if (!readsData(operation)) return operation;
  const kind = kinds.findLast(([segment]) => operation.path.includes(segment))?.[1];
  const handle: Operation['handle'] = (call) => {
    // The catalog does not know the type of the services. Every operation of the API gets these services, so the cast
    // is safe.
    const services = call.services as { using(use: RequestedUse): unknown };
    const isPage =
      !operation.streamed ||
      call.accepts(['application/json', 'text/csv', 'application/x-ndjson']) === 'application/json';
    const { limit = ROWS_USUAL } = call.query as { limit?: number };
    const rows = operation.streamed ? limit : 1;
    const use: RequestedUse = isPage
      ? { action: 'read', rows, kind }
      : { action: 'export', rows: 'all', kind };
    return operation.handle({ ...call, services: services.using(use) });
  };
  return { ...operation, handle };
}

function readsData({ path, scope, method }: Operation): boolean {
  if (method !== 'GET' || path === '/data/datasets') return false;
  return scope?.startsWith('data:') === true || path.startsWith('/investment/companies');
}

/**
 * Returns a function that runs the transactions of one request. The first transaction decides about the use of the
 * datasets, and counts the rows of datasets with a row limit; every transaction hides the denied datasets. Refuses the
 * request with 403 `entitlement_missing` if only denied datasets are left.
 */
export function usingData(
  orm: Orm,
  tenant: Tenant,
  { use, now }: { use: RequestedUse; now: () => Date },
): Transaction {
  let answered: AnsweredUse | undefined;
  return async (work, options) => {
    const asked = { ...use, now: now() };
    const decided = async (em: Em, answer: typeof answerUse) => {
      answered ??= await answer(em, asked);
      await hideDenied(em, answered.denied, asked);
    };
    try {
      return await inTenant(
        orm,
        tenant,
        async (em) => {
          await decided(em, async (...given) => {
            const found = await answerUse(...given);
            if (found.limited.length > 0) throw new RowsToCount();
            return found;
          });
          return work(em);
        },
        options,
      );
    } catch (error) {
      if (!(error instanceof RowsToCount)) throw error;
    }
    return inTenant(
      orm,
      tenant,
      async (em) => {
        await decided(em, countUse);
        return work(em);
      },
      { ...options, isReadOnly: false },
    );
  };
}

/** Thrown when the rows of the use must be counted. Counting needs a transaction that can write. */
class RowsToCount extends Error {}
