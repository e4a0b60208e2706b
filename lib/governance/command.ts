import type { Actor, AuditEvent } from '#lib/audit/entry.ts';
import type { Em, Environment, Tenant } from '#lib/database/base.ts';

/**
 * The verdict of a rule: the next state, or the code of the refusal. If the text of a refusal contains values, the
 * verdict contains the text, which replaces the text of the command.
 */
export type Verdict = { ok: true } | { ok: false; code: string; detail?: string | undefined };

export type Allowed<V extends Verdict> = Extract<V, { ok: true }>;
export type Refused<V extends Verdict> = Extract<V, { ok: false }>;
export type RefusalCode<V extends Verdict> = Refused<V>['code'];

/** The refusal codes whose verdict contains its own refusal text, because the text contains values. */
export type DetailedCode<V extends Verdict> = Extract<Refused<V>, { detail: string }>['code'];

/**
 * The place to which a change applies: one environment of a workspace, the whole workspace, or the deployment. The
 * audit entry is written to the logs of all environments of the place.
 */
export type Place = Tenant | WholeWorkspace | Deployment;
export type Deployment = { workspace?: undefined; environment?: undefined };
export type WholeWorkspace = { workspace: string; environment?: undefined };

export const deployment: Deployment = {};

/** Returns the workspace and environment of a row; undefined if the row does not exist. */
export function placeOf(row: { workspaceUid: string; environment: Environment } | null): Tenant | undefined {
  return row ? { workspace: row.workspaceUid, environment: row.environment } : undefined;
}

/** The actor, the place and the time of a change. The clock is read once, after the locks are held. */
export type Circumstances<P extends Place = Tenant> = { actor: Actor; place: P; now: Date };

/** Returns the person who makes a change. Used for changes that only persons may make. Throws for any other actor. */
export function personOf({ actor }: Pick<Circumstances, 'actor'>): string {
  if (actor.kind !== 'person')
    throw new Error(`only a person may make this change; the actor is of kind ${actor.kind}`);
  return actor.uid;
}

/**
 * Returns the application that makes a change. Used for changes that only applications may make. Throws for any other
 * actor.
 */
export function applicationOf({ actor }: Pick<Circumstances, 'actor'>): string {
  if (actor.kind !== 'application')
    throw new Error(`only an application may make this change; the actor is of kind ${actor.kind}`);
  return actor.uid;
}

/** The part of an audit entry that describes the change. Actor, place and time come from the circumstances. */
export type Entry = Pick<
  AuditEvent,
  'op' | 'subject' | 'decision' | 'payloadHash' | 'beforeHash' | 'afterHash' | 'details'
> & {
  /**
   * The place in whose log the entry is recorded, if it differs from the place of the change. The place of the entry
   * must lie within the place of the change.
   */
  place?: Place;
};

/** The result of a change for its caller, and the audit entries of its consequences, in order. */
export type Written<Result> = {
  result: Result;
  consequences?: readonly Entry[];
  /** Carries out further effects of the change. The audit entries of these effects follow the entry of the change. */
  follow?(): Promise<void>;
  /**
   * The place in whose log the change is recorded, if the place did not exist before the change. Used for a new
   * workspace.
   */
  recordedIn?: Place;
};

/**
 * A governed state change, declared once. `govern` runs it for every adapter: command line, HTTP, workflow step,
 * console. The declaration contains no transaction, clock or audit call of its own.
 */
export type Command<
  Input,
  Locked,
  Facts,
  V extends Verdict,
  Result,
  Unknown extends string,
  P extends Place,
> = {
  /** Returns the place of the change, searching all tenants. Returns undefined if the subject does not exist. */
  find(em: Em, input: Input): Promise<P | undefined>;
  /** The refusal code for a subject that does not exist. Omitted if the place of the change always exists. */
  unknown?: Unknown;
  /**
   * Locks the rows that the decision depends on. Every command locks rows in the same order, so that no deadlock can
   * occur.
   */
  lock(em: Em, input: Input, place: P): Promise<Locked>;
  /** Reads the facts that the rule needs, after the lock. */
  facts(em: Em, locked: Locked, input: Input, at: Circumstances<P>): Promise<Facts>;
  /** Decides whether the change is allowed. This function is the rule of the command and must be pure. */
  decide(facts: Facts, input: Input, at: Circumstances<P>): V;
  /** Writes the allowed change. Throws a `Refusal` to undo the whole change. */
  write(
    em: Em,
    facts: Facts,
    verdict: Allowed<V>,
    context: Circumstances<P> & { input: Input },
  ): Promise<Written<Result>>;
  /**
   * Writes effects that remain although the change is refused, such as an expiry that was noticed, and
   * returns their audit entries. Returns undefined if it wrote nothing. A refusal that wrote nothing and has
   * no audit entry may be rolled back.
   */
  writeRefusal?(
    em: Em,
    facts: Facts,
    verdict: Refused<V>,
    context: Circumstances<P> & { input: Input },
  ): Promise<readonly Entry[] | undefined>;
  /**
   * Returns the audit entry of the change with its result, or of its refusal. Returns undefined if nothing is to be
   * logged.
   */
  entry(facts: Facts, verdict: V, input: Input, result?: Result): Entry | undefined;
  /** The text of each refusal for the caller. A verdict with its own `detail` replaces the text. */
  refusals: Readonly<
    Record<Exclude<RefusalCode<V>, DetailedCode<V>> | Unknown, Sentence<Input, V>> &
      Partial<Record<DetailedCode<V>, Sentence<Input, V>>>
  >;
};

/** The text of a refusal, or a function that builds the text from values of the input or the verdict. */
export type Sentence<Input, V extends Verdict> = string | Sentences<Input, V>['of'];

/**
 * Builds the text of a refusal. This function is declared as a method, like the other parts of a command, so that
 * TypeScript accepts every command as an `AnyCommand`.
 */
type Sentences<Input, V extends Verdict> = { of(input: Input, refused: Refused<V>): string };

/** Declares a command. The types of its parts are inferred from one another. */
export function defineCommand<Input>() {
  return <Locked, Facts, V extends Verdict, Result, Unknown extends string = never, P extends Place = Tenant>(
    command: Command<Input, Locked, Facts, V, Result, Unknown, P>,
  ): Command<Input, Locked, Facts, V, Result, Unknown, P> => command;
}

/**
 * The type of any command. Functions that accept every command use it, so that they need not name seven type
 * parameters.
 */
export type AnyCommand = Command<unknown, unknown, unknown, Verdict, unknown, string, Place>;

/** A command that applies to one environment of a workspace. */
export type TenantCommand = Command<unknown, unknown, unknown, Verdict, unknown, string, Tenant>;

/** A command that applies to a whole workspace. */
export type WorkspaceCommand = Command<
  unknown,
  unknown,
  unknown,
  Verdict,
  unknown,
  string,
  { workspace: string }
>;

export type InputOf<C extends AnyCommand> = Parameters<C['find']>[1];
export type PlaceOf<C extends AnyCommand> = Parameters<C['lock']>[2];

/** The outcome of an allowed change: the verdict, the result, and the time of the change. */
export type Done<C extends AnyCommand> = Allowed<ReturnType<C['decide']>> & {
  result: Awaited<ReturnType<C['write']>>['result'];
  at: Date;
};

/** The outcome of a refused change: the verdict and the text of its refusal. */
export type Denied<C extends AnyCommand> = (
  | Refused<ReturnType<C['decide']>>
  | { ok: false; code: NonNullable<C['unknown']> }
) & {
  detail: string;
  /**
   * Whether the refusal has written data, such as an audit entry. If so, the transaction of the refused change must be
   * committed.
   */
  isRecorded: boolean;
};

export type Outcome<C extends AnyCommand> = Done<C> | Denied<C>;
