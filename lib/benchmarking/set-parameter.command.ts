import { sql } from 'kysely';
import { defineCommand, deployment } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { compareExact, parseExact } from './exact.ts';

/** The bounds of the secret parameter, in percent. */
const bounds = { least: parseExact('1')!, most: parseExact('50')! };

type Input = { pPercent: string };

/**
 * Sets the secret parameter of the p % rule. It applies to cells that are published later. The audit log records the
 * change without the value, because a reader who knows the parameter can estimate the largest contributor.
 */
export const setParameter = defineCommand<Input>()({
  find: async () => deployment,
  lock: (em) => acquireNamedLock(em, 'benchmark parameter'),
  facts: async () => undefined,
  decide: (_facts, { pPercent }) => decideParameter(pPercent),
  async write(em, _facts, _verdict, { input, now }) {
    const { rows } = await sql<{ id: string }>`
      insert into benchmark_parameter (p_percent, set_at) values (${input.pPercent}, ${now}) returning id::text
    `.execute(em.getKysely());
    return { result: { revision: Number(rows[0]!.id), at: now } };
  },
  entry: (_facts, verdict, _input, result) =>
    verdict.ok
      ? {
          op: 'benchmark.parameter_set',
          subject: { type: 'benchmark_parameter', uid: `revision-${result!.revision}` },
        }
      : undefined,
  refusals: { parameter_invalid: 'The parameter is a decimal from 1 to 50 with at most 4 decimal places.' },
});

/** Whether a text is a valid parameter. */
export function decideParameter(text: string): { ok: true } | { ok: false; code: 'parameter_invalid' } {
  const value = /^\d{1,2}(\.\d{1,4})?$/.test(text) ? parseExact(text) : undefined;
  return value && compareExact(value, bounds.least) >= 0 && compareExact(value, bounds.most) <= 0
    ? { ok: true }
    : { ok: false, code: 'parameter_invalid' };
}
