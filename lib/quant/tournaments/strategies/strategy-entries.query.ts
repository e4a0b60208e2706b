import { utcDate } from '#lib/core/clock.ts';
import { invalid, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { windowFaults } from '../../backtests/backtest-window.ts';
import type { ParameterValue } from '../../strategies/parameter.schema.ts';
import { resolveStrategy, type Resolution } from '../../strategies/resolve-strategy.ts';
import { familyOf } from '../../strategies/strategy-family.ts';
import { faultsUnder } from '../../strategies/strategy-fault.ts';
import { pinFeatures } from '../../strategies/strategy-features.query.ts';
import { dataKey } from './strategy-data-key.ts';
import { strategyQuestion } from '../../strategies/strategy-question.ts';
import type { Strategy } from '../../strategies/strategy.schema.ts';
import type { ResolvedEntry } from '../tournament-input.schema.ts';
import type { RequestedEntry } from '../tournament-request.schema.ts';
import type { StrategiesTask } from './strategy-entry.schema.ts';

type Requested = Extract<RequestedEntry, { strategy: unknown }>;
type Found = Extract<Resolution, { ok: true }>;

/** Resolves the days and the entries of a tournament of strategies. Refuses entries that cannot be compared. */
export async function strategyEntries(
  em: Em,
  { task: { from, to }, entries }: { task: StrategiesTask; entries: readonly RequestedEntry[] },
  now: Date,
) {
  const asOf = utcDate(now);
  const windows = windowFaults({ from, to, asOf }, asOf).map((fault) => ({
    ...fault,
    pointer: `/task${fault.pointer}`,
  }));
  if (windows.length > 0) throw invalid(windows);
  const resolved: ResolvedEntry[] = [];
  for (const [at, entry] of entries.entries())
    resolved.push(await strategyEntry(em, entry as Requested, `/entries/${at}`));
  const differing = resolved.flatMap((entry, at) =>
    differences(entry, resolved[0]!, `/entries/${at}/strategy`),
  );
  if (differing.length > 0) throw invalid(differing);
  return { entries: resolved, strategies: { from, to, as_of: asOf } };
}

async function strategyEntry(em: Em, entry: Requested, pointer: string): Promise<ResolvedEntry> {
  const chosen = resolved(entry.strategy, entry.parameters, {
    at: `${pointer}/strategy`,
    parameters: `${pointer}/parameters`,
  });
  const variants = (entry.variants ?? []).map((parameters, at) => {
    const place = `${pointer}/variants/${at}`;
    const found = resolved(
      entry.strategy,
      { ...entry.parameters, ...parameters },
      { at: place, parameters: place },
    );
    return { parameters: found.parameters, rules: found.strategy };
  });
  const { features, faults } = await pinFeatures(em, strategyQuestion(chosen.strategy).features);
  if (faults.length > 0) throw invalid(faultsUnder(`${pointer}/strategy`, faults));
  const other = variants.findIndex(
    ({ rules }) => dataKey(rules, features) !== dataKey(chosen.strategy, features),
  );
  if (other >= 0) {
    const message = 'must read the same universe and features as the strategy';
    throw invalid([{ pointer: `${pointer}/variants/${other}`, in: 'body', code: 'data_differ', message }]);
  }
  const family = familyOf(chosen.strategy, chosen.replaced);
  const { strategy: rules, parameters } = chosen;
  return {
    name: entry.name,
    kind: 'strategy',
    method: null,
    strategy: { family, rules, parameters, features, variants },
  };
}

function resolved(
  strategy: Strategy,
  parameters: Readonly<Record<string, ParameterValue>> | undefined,
  pointers: { at: string; parameters: string },
): Found {
  const found = resolveStrategy(strategy, parameters);
  if (!found.ok) throw invalid(faultsUnder(pointers.at, found.faults, pointers.parameters));
  return found;
}

/** Returns the faults of an entry whose returns cannot be compared with those of the first entry. */
function differences(
  { strategy: own }: ResolvedEntry,
  { strategy: first }: ResolvedEntry,
  at: string,
): Fault[] {
  const faults: Fault[] = [];
  const mustBe = (member: string, code: string, [value, wanted]: [string, string]) => {
    const message = `must be ${wanted}, as in the first entry`;
    if (value !== wanted) faults.push({ pointer: `${at}${member}`, in: 'body', code, message });
  };
  mustBe('/frequency', 'frequency_differs', [own!.rules.frequency, first!.rules.frequency]);
  mustBe('/cash/currency', 'currency_differs', [own!.rules.cash.currency, first!.rules.cash.currency]);
  return faults;
}
