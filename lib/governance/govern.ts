import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Actor } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import { inPlatform, inTenant, type Em, type Orm, type Tenant } from '#lib/database/orm.ts';
import type { Command, Entry, Outcome, Verdict } from './command.ts';

/** Who asks for a change. Whoever claims to be a person is proven to be that person inside the transaction. */
export type Request = {
  actor: Actor | ((em: Em, place: Tenant) => Promise<Actor>);
  clock: Clock;
  requestId?: string | undefined;
};

/**
 * Carries out a command in one transaction: lock, one reading of the clock, facts, decision, write, audit entry, then the
 * entries of its consequences. A refusal writes its entry and nothing else.
 */
export async function govern<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string>(
  orm: Orm,
  command: Command<Input, Locked, Facts, V, Result, Unknown>,
  input: Input,
  request: Request,
): Promise<Outcome<V, Result, Unknown>> {
  const place = await inPlatform(orm, (em) => command.find(em, input));
  if (!place) return refusal(command, command.unknown);
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
  const append = async (entry: Entry, refused?: string) =>
    appendAudit(em, { ...entry, at: at.now, actor, requestId, refused }, place);
  const facts = await command.facts(em, locked, input, at);
  const verdict = command.decide(facts, input, at);
  const entry = command.entry(facts, verdict, input);
  if (!verdict.ok) {
    if (entry) await append(entry, verdict.code);
    return refusal(command, verdict.code);
  }
  const allowed = verdict as Extract<V, { ok: true }>;
  const { result, consequences = [] } = await command.write(em, facts, allowed, { ...at, input });
  await em.flush(); // the log never names what the database then refuses
  if (entry) await append(entry);
  for (const consequence of consequences) await append(consequence);
  return { ...allowed, result };
}

function refusal<V extends Verdict, Unknown extends string>(
  command: { refusals: Readonly<Record<string, string>> },
  code: string,
): Outcome<V, never, Unknown> {
  return { ok: false, code, detail: command.refusals[code]! } as Outcome<V, never, Unknown>;
}
