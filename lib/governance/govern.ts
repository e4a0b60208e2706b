import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Em, Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import type { Allowed, Command, Entry, Outcome, Refused, Verdict } from './command.ts';

/** Who asks for a change. Whoever claims to be a person is proven to be that person inside the transaction. */
export type Request = {
  actor: Actor | ((em: Em, place: Tenant) => Promise<Actor>);
  clock: Clock;
  requestId?: string | undefined;
};

/**
 * Carries out a command in one transaction: lock, one reading of the clock, facts, decision, write, audit entry, then the
 * entries of its consequences. A refusal changes nothing but what `writeRefusal` says.
 */
export async function govern<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string>(
  orm: Orm,
  command: Command<Input, Locked, Facts, V, Result, Unknown>,
  input: Input,
  request: Request,
): Promise<Outcome<V, Result, Unknown>> {
  const place = await inPlatform(orm, (em) => command.find(em, input));
  const { unknown } = command;
  if (!place) return { ok: false, code: unknown, detail: detailOf(command, unknown) };
  return inTenant(orm, place, async (em) => {
    const { actor } = request;
    const known = typeof actor === 'function' ? await actor(em, place) : actor;
    return carryOut(em, command, input, { ...request, actor: known, place });
  });
}

/** As `govern`, in a transaction that is already open for the tenant. */
export async function carryOut<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string>(
  em: Em,
  command: Command<Input, Locked, Facts, V, Result, Unknown>,
  input: Input,
  { actor, place, clock, requestId }: Omit<Request, 'actor'> & { actor: Actor; place: Tenant },
): Promise<Outcome<V, Result, Unknown>> {
  const locked = await command.lock(em, input, place);
  const at = { actor, place, now: clock.now() };
  const appendAll = async (entries: readonly (Entry | undefined)[], refused?: string) => {
    await em.flush(); // the log never names what the database then refuses
    const [cause, ...consequences] = entries;
    if (cause) await appendAudit(em, { ...cause, at: at.now, actor, requestId, refused }, place);
    for (const entry of consequences)
      await appendAudit(em, { ...entry!, at: at.now, actor, requestId }, place);
  };
  const facts = await command.facts(em, locked, input, at);
  const verdict = command.decide(facts, input, at);
  const context = { ...at, input };
  if (isAllowed(verdict)) {
    const { result, consequences = [], follow } = await command.write(em, facts, verdict, context);
    await appendAll([command.entry(facts, verdict, input, result), ...consequences]);
    await follow?.();
    return { ...verdict, result };
  }
  const refused = verdict as Refused<V>;
  const consequences = (await command.writeRefusal?.(em, facts, refused, context)) ?? [];
  await appendAll([command.entry(facts, verdict, input), ...consequences], refused.code);
  return { ...refused, detail: detailOf(command, refused.code) };
}

function isAllowed<V extends Verdict>(verdict: V): verdict is Allowed<V> {
  return verdict.ok;
}

function detailOf({ refusals }: { refusals: Readonly<Record<string, string>> }, code: string): string {
  return refusals[code]!;
}
