import type { Actor, AuditEvent } from '#lib/audit/entry.ts';
import type { Em, Tenant } from '#lib/database/base.ts';

/** A rule's answer: what happens next, or the code of the refusal. */
export type Verdict = { ok: true } | { ok: false; code: string };

export type Allowed<V extends Verdict> = Extract<V, { ok: true }>;
export type Refused<V extends Verdict> = Extract<V, { ok: false }>;
export type RefusalCode<V extends Verdict> = Refused<V>['code'];

/** Who changes something, where, and when. The instant is read once, after the locks are held. */
export type Circumstances = { actor: Actor; place: Tenant; now: Date };

/** The person behind a change that only persons make. */
export function personOf({ actor }: Pick<Circumstances, 'actor'>): string {
  if (actor.kind !== 'person') throw new Error(`a person makes this change, and not: ${actor.kind}`);
  return actor.uid;
}

/** What an audit entry says about the change; who made it, when and where is known from the circumstances. */
export type Entry = Pick<
  AuditEvent,
  'op' | 'subject' | 'decision' | 'payloadHash' | 'beforeHash' | 'afterHash' | 'details'
>;

/** What a change leaves for its caller, and the audit entries of its consequences, in their order. */
export type Written<Result> = {
  result: Result;
  consequences?: readonly Entry[];
  /** What happens because of the change, with audit entries of its own: they come after the entry of the change. */
  follow?(): Promise<void>;
};

/**
 * A governed change of state, declared once and carried out by `govern` for every adapter: command line, HTTP, workflow
 * step, console. It holds no transaction, clock or audit call of its own.
 */
export type Command<Input, Locked, Facts, V extends Verdict, Result, Unknown extends string> = {
  /** Finds the workspace and environment of the change, across all tenants. Undefined if the subject does not exist. */
  find(em: Em, input: Input): Promise<Tenant | undefined>;
  /** The code of the refusal when the subject does not exist. */
  unknown: Unknown;
  /** Locks the rows that the decision rests on, always in the same order. */
  lock(em: Em, input: Input, place: Tenant): Promise<Locked>;
  /** Reads what the rule needs, after the lock. */
  facts(em: Em, locked: Locked, input: Input, at: Circumstances): Promise<Facts>;
  /** The rule. A pure function. */
  decide(facts: Facts, input: Input, at: Circumstances): V;
  /** Writes what the verdict allows. Throws a `Refusal` to undo the whole change. */
  write(
    em: Em,
    facts: Facts,
    verdict: Allowed<V>,
    context: Circumstances & { input: Input },
  ): Promise<Written<Result>>;
  /** Writes what holds even though the change is refused, such as an expiry that was noticed. */
  writeRefusal?(
    em: Em,
    facts: Facts,
    verdict: Refused<V>,
    context: Circumstances & { input: Input },
  ): Promise<readonly Entry[]>;
  /** The audit entry of the change, with its result, or of its refusal. Undefined for a refusal that the log does not keep. */
  entry(facts: Facts, verdict: V, input: Input, result?: Result): Entry | undefined;
  /** What each refusal means, as a sentence for whoever asked. */
  refusals: Readonly<Record<RefusalCode<V> | Unknown, string>>;
};

/** Declares a command; the types of its parts are inferred from one another. */
export function defineCommand<Input>() {
  return <Locked, Facts, V extends Verdict, Result, Unknown extends string>(
    command: Command<Input, Locked, Facts, V, Result, Unknown>,
  ): Command<Input, Locked, Facts, V, Result, Unknown> => command;
}

/** The end of a command: the verdict, with the result of the change or the sentence of its refusal. */
export type Outcome<V extends Verdict, Result, Unknown extends string> =
  | (Allowed<V> & { result: Result })
  | (Refused<V> & { detail: string })
  | { ok: false; code: Unknown; detail: string };
