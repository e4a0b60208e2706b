import { createAjv } from '#lib/core/ajv.ts';
import { minorDigits } from '#lib/core/money.ts';
import { readDefinition, scopesOf } from '#lib/workflows/definition.ts';
import type { StartableRuns } from '#lib/workflows/task-scopes.ts';
import { libraryWorkflow } from './library-workflow.ts';
import { ListingFile } from './listing.schema.ts';

const validate = createAjv().compile<ListingFile>(ListingFile);

type Fault = { pointer: string; code: string; message: string };

/**
 * Reads a JSON value as a listing. A workflow requires the scopes of its steps and the scopes that the file adds. A
 * dataset requires an entitlement to this dataset. Returns the listing, or every fault with its JSON pointer.
 */
export function readListing(
  value: unknown,
  runs: StartableRuns,
): { ok: true; listing: ListingFile } | { ok: false; faults: Fault[] } {
  if (!validate(value)) {
    const faults = validate.errors!.map(({ instancePath, message = 'is not valid' }) => ({
      pointer: instancePath,
      code: 'invalid_listing',
      message,
    }));
    return { ok: false, faults: faults.slice(0, 50) };
  }
  const faults = [...priceFaults(value), ...offerFaults(value)];
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, listing: { ...value, ...requirementsOf(value, runs) } };
}

function requirementsOf({ kind, subject, ...file }: ListingFile, runs: StartableRuns): Partial<ListingFile> {
  const { required_scopes: scopes = [], required_entitlements: entitlements = [] } = file;
  if (kind === 'dataset') return { required_entitlements: [...new Set([...entitlements, subject])].sort() };
  const read = kind === 'workflow' ? readDefinition(libraryWorkflow(subject), runs) : undefined;
  return read?.ok
    ? { required_scopes: [...new Set([...scopes, ...scopesOf(read.definition, runs)])].sort() }
    : {};
}

function priceFaults({ price }: ListingFile): Fault[] {
  if (!price) return [];
  const isFree = price.model === 'free';
  if (isFree !== (price.currency === null) || isFree !== (price.amount_minor === null)) {
    return [fault('/price', 'needs a currency and an amount, unless the item is free')];
  }
  return price.currency !== null && minorDigits(price.currency) === undefined
    ? [fault('/price/currency', 'must be an active ISO 4217 currency')]
    : [];
}

function offerFaults({ kind, offer }: ListingFile): Fault[] {
  if (kind === 'dataset' && !offer) return [fault('/offer', 'is required for a dataset')];
  return kind !== 'dataset' && offer ? [fault('/offer', 'belongs to a dataset only')] : [];
}

function fault(pointer: string, message: string): Fault {
  return { pointer, code: 'invalid_listing', message };
}
