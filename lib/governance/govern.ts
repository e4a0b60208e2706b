import { appendAudit, appendEverywhere, appendWorkspaceAudit } from '#lib/audit/audit.write.ts';
import type { Actor, AuditEvent } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Refusal } from '#lib/core/refusal.ts';
import type { Em, Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import type {
  Allowed,
  AnyCommand,
  Command,
  Done,
  Denied,
  Entry,
  InputOf,
  Outcome,
  Place,
  PlaceOf,
  Refused,
  Verdict,
} from './command.ts';
import { refusalOf } from './refusal.ts';

/**
 * The origin of a change: its actor, the clock, and the id of the request. If `actor` is a function, it is called
 * inside the transaction and determines the actor.
 */
export type Request<P extends Place = Place> = {
  actor: Actor | ((em: Em, place: P) => Promise<Actor>);
  clock: Clock;
  requestId?: string | undefined;
};

/**
 * Runs a command in one transaction: locks, reads the clock once, reads the facts, decides, writes, appends the audit
 * entry, then appends the entries of the consequences. A refusal changes only the data that `writeRefusal` writes.
 */
export async function govern<C extends AnyCommand>(
  orm: Orm,
  command: C,
  input: InputOf<C>,
  request: Request<PlaceOf<C>>,
): Promise<Outcome<C>> {
  const place = (await inPlatform(orm, (em) => command.find(em, input))) as PlaceOf<C> | undefined;
  if (!place) return unknownSubject(command, input);
  return inPlace(orm, place, async (em) => {
    const { actor } = request;
    const known = typeof actor === 'function' ? await actor(em, place) : actor;
    return governWithin(em, command, input, { ...request, actor: known, place });
  });
}

/**
 * Runs a command like `govern`, for a process whose role sees only the rows of the transaction's tenant. The subject
 * must belong to this tenant.
 */
export async function governIn<C extends AnyCommand>(
  orm: Orm,
  tenant: Tenant,
  command: C,
  input: InputOf<C>,
  { actor, ...request }: Omit<Request, 'actor'> & { actor: Actor },
): Promise<Outcome<C>> {
  const place = (await inTenant(orm, tenant, (em) => command.find(em, input), { isReadOnly: true })) as
    | PlaceOf<C>
    | undefined;
  if (!place) return unknownSubject(command, input);
  return inTenant(orm, tenant, (em) => governWithin(em, command, input, { ...request, actor, place }));
}

/** Runs a command like `govern`, but throws a refusal. `refuse` creates the error from the refused outcome. */
export async function governOrRefuse<C extends AnyCommand>(
  orm: Orm,
  command: C,
  input: InputOf<C>,
  request: Request<PlaceOf<C>>,
  refuse: (denied: Denied<C>) => Refusal = refusalOf,
): Promise<Done<C>> {
  const outcome = await govern(orm, command, input, request);
  if (!outcome.ok) throw refuse(outcome as Denied<C>);
  return outcome as Done<C>;
}

/** Returns the refusal for a subject that does not exist. */
function unknownSubject<C extends AnyCommand>(command: C, input: InputOf<C>): Denied<C> {
  const refused = { ok: false as const, code: command.unknown! };
  return { ...refused, detail: sentenceOf(command, input, refused), isRecorded: false } as Denied<C>;
}

/** Runs a transaction for a tenant, or across tenants if the change concerns more than one environment. */
function inPlace<T>(orm: Orm, place: Place, work: (em: Em) => Promise<T>): Promise<T> {
  return isTenant(place) ? inTenant(orm, place, work) : inPlatform(orm, work);
}

function isTenant(place: Place): place is Tenant {
  return place.environment !== undefined;
}

/** Runs a command like `govern`, in a transaction that is already open for the place. */
export async function governWithin<C extends AnyCommand>(
  em: Em,
  command: C,
  input: InputOf<C>,
  { actor, place, clock, requestId }: Omit<Request, 'actor'> & { actor: Actor; place: PlaceOf<C> },
): Promise<Outcome<C>> {
  // The types of the parts of a command match each other, but this function does not know the concrete types
  // and uses `unknown`.
  const parts: Command<unknown, unknown, unknown, Verdict, unknown, string, Place> = command;
  const locked = await parts.lock(em, input, place);
  const at = { actor, place, now: clock.now() };
  const appendAll = async (
    entries: readonly (Entry | undefined)[],
    { refused, recordedIn = place }: { refused?: string; recordedIn?: Place | undefined },
  ) => {
    await em.flush(); // if the database rejects a change, no audit entry records it
    for (const [index, entry] of entries.entries()) {
      if (!entry) continue;
      const { place: ownPlace = recordedIn, ...said } = entry;
      const ruling = index === 0 ? { refused } : {};
      await append(em, { ...said, at: at.now, actor, requestId, ...ruling }, ownPlace);
    }
  };
  const facts = await parts.facts(em, locked, input, at);
  const verdict = parts.decide(facts, input, at);
  const context = { ...at, input };
  if (verdict.ok) {
    const allowed = verdict as Allowed<Verdict>;
    const { result, consequences = [], follow, recordedIn } = await parts.write(em, facts, allowed, context);
    await appendAll([parts.entry(facts, verdict, input, result), ...consequences], { recordedIn });
    await follow?.();
    return { ...verdict, result, at: at.now } as Done<C>;
  }
  const refused = verdict as Refused<Verdict>;
  const written = await parts.writeRefusal?.(em, facts, refused, context);
  const entry = parts.entry(facts, verdict, input);
  await appendAll([entry, ...(written ?? [])], { refused: refused.code });
  const isRecorded = entry !== undefined || written !== undefined;
  return { ...refused, detail: sentenceOf(parts, input, refused), isRecorded } as unknown as Denied<C>;
}

function sentenceOf(command: AnyCommand, input: unknown, refused: Refused<Verdict>): string {
  if (refused.detail !== undefined) return refused.detail;
  const sentence = command.refusals[refused.code]!;
  return typeof sentence === 'function' ? sentence(input, refused) : sentence;
}

function append(em: Em, event: AuditEvent, place: Place): Promise<void> {
  if (isTenant(place)) return appendAudit(em, event, place);
  if (place.workspace === undefined) return appendEverywhere(em, event);
  return appendWorkspaceAudit(em, event, place.workspace);
}
