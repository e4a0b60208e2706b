import type { Scope } from '#lib/core/scope.ts';
import { readableKinds } from '#lib/data/dataset.query.ts';
import { symbolRanges } from '#lib/data/instrument.ts';
import { findSubject } from '#lib/data/instrument-series.query.ts';
import { findInstrument, uidOfSymbol } from '#lib/data/instrument.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { BlockReason, Company } from './block.ts';
import { companyBlockNames, companyBlocks, type CompanyBlockName } from './blocks.query.ts';

export type CompanyQuestion = {
  workspace: string;
  /** A current or former symbol. */
  symbol: string;
  /** The day whose knowledge counts, YYYY-MM-DD. */
  day: string;
  /** Why the caller may not use a scope; undefined if the caller has it. */
  lacking(scope: Scope): 'not_entitled' | 'insufficient_scope' | undefined;
};

export type CompanyPage = {
  currentSymbol: string;
  /** Null where there is a reason. */
  blocks: Record<CompanyBlockName, Record<string, unknown> | null>;
  reasons: Partial<Record<CompanyBlockName, BlockReason>>;
};

/**
 * Returns what was known of a company by the end of a day, block by block; undefined if nothing was, or if the
 * symbol was not known to be one of its symbols. The number of statements does not depend on the amount of data.
 */
export async function readCompany(em: Em, question: CompanyQuestion): Promise<CompanyPage | undefined> {
  const company = await findCompany(em, question);
  if (!company) return undefined;
  const kinds = await readableKinds(em);
  const blocks = {} as CompanyPage['blocks'];
  const reasons: CompanyPage['reasons'] = {};
  for (const name of companyBlockNames) {
    const block = companyBlocks[name];
    const isEntitled = block.kind === null || kinds.has(block.kind);
    const refused = block.scope === null ? undefined : question.lacking(block.scope);
    const found = refused ?? (isEntitled ? await block.read(em, company) : 'not_entitled');
    if (typeof found === 'string') reasons[name] = found;
    blocks[name] = typeof found === 'string' ? null : found;
  }
  return { currentSymbol: company.state.symbol, blocks, reasons };
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
  if (!known.includes(symbol)) return undefined; // the change of the symbol was not known yet
  const symbols = [state.symbol, ...known.filter((each) => each !== state.symbol)];
  return { workspace, day, state, subject, symbols };
}
