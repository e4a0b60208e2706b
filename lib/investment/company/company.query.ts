import type { Scope } from '#lib/core/scope.ts';
import { readableKinds } from '#lib/data/dataset.query.ts';
import { symbolRanges } from '#lib/data/instrument.ts';
import { findSubject } from '#lib/data/instrument-series.query.ts';
import { findInstrument, uidOfSymbol } from '#lib/data/instrument.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { BlockReason, Company, CompanyBlock } from './block.ts';
import { companyBlockNames, companyBlocks, type CompanyBlockName } from './blocks.query.ts';

export type CompanyQuestion = {
  workspace: string;
  /** A current or former symbol. */
  symbol: string;
  /** The day at whose end the data must have been known, YYYY-MM-DD. */
  day: string;
  /** Returns the reason why the caller may not use a scope; undefined if the caller has the scope. */
  lacking(scope: Scope): 'not_entitled' | 'insufficient_scope' | undefined;
};

export type CompanyPage = {
  currentSymbol: string;
  /** The blocks by name; null for a block with a reason. */
  blocks: Record<CompanyBlockName, Record<string, unknown> | null>;
  reasons: Partial<Record<CompanyBlockName, BlockReason>>;
  /** Blocks that are still to be computed, each by the default export of a file. They are null in `blocks`. */
  pending: { name: CompanyBlockName; file: URL; input: unknown }[];
};

/**
 * Returns the data about a company that were known at the end of a day, block by block. Returns undefined if
 * nothing was known, or if the symbol was not yet known as a symbol of the company. The number of statements
 * does not depend on the amount of data.
 */
export async function readCompany(em: Em, question: CompanyQuestion): Promise<CompanyPage | undefined> {
  const company = await findCompany(em, question);
  if (!company) return undefined;
  const kinds = await readableKinds(em);
  const blocks = {} as CompanyPage['blocks'];
  const reasons: CompanyPage['reasons'] = {};
  const pending: CompanyPage['pending'] = [];
  for (const name of companyBlockNames) {
    const block: CompanyBlock = companyBlocks[name];
    const isEntitled = block.kind === null || kinds.has(block.kind);
    const refused = block.scope === null ? undefined : question.lacking(block.scope);
    const found = refused ?? (isEntitled ? await block.read(em, company) : 'not_entitled');
    blocks[name] = null;
    if (typeof found === 'string') reasons[name] = found;
    else if (block.computation) pending.push({ name, file: block.computation, input: found['input'] });
    else blocks[name] = found;
  }
  return { currentSymbol: company.state.symbol, blocks, reasons, pending };
}

async function findCompany(
  em: Em,
  { workspace, symbol, day }: CompanyQuestion,
): Promise<Company | undefined> {
  const uid = await uidOfSymbol(em, symbol, day);
  if (uid === undefined) return undefined;
  const state = await findInstrument(em, uid, day);
  const subject = await findSubject(em, uid, day);
  if (!state || !subject) return undefined;
  const known = symbolRanges(subject.symbols).map((range) => range.symbol);
  if (!known.includes(symbol)) return undefined; // At that time, the change to this symbol was not known.
  const symbols = [state.symbol, ...known.filter((each) => each !== state.symbol)];
  return { workspace, day, state, subject, symbols };
}
