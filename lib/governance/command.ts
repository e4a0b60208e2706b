import type { Actor, AuditEvent } from '#lib/audit/entry.ts';
import type { Em, Environment, Tenant } from '#lib/database/base.ts';

/**
 * A rule's answer: what happens next, or the code of the refusal. A refusal whose sentence names a value brings the
 * sentence along, in the place of the command's own.
 */
export type Verdict = { ok: true } | { ok: false; code: string; detail?: string | undefined };

export type Allowed<V extends Verdict> = Extract<V, { ok: true }>;
export type Refused<V extends Verdict> = Extract<V, { ok: false }>;
export type RefusalCode<V extends Verdict> = Refused<V>['code'];

/** The codes whose verdict says itself what the refusal means, since its sentence names values. */
export type DetailedCode<V extends Verdict> = Extract<Refused<V>, { detail: string }>['code'];

/**
 * Where a change applies: one environment of a workspace, the whole workspace, or the deployment. Its audit entry goes
 * into the logs of all environments that it names.
 */
export type Place = Tenant | WholeWorkspace | Deployment;
export type Deployment = { workspace?: undefined; environment?: undefined };
export type WholeWorkspace = { workspace: string; environment?: undefined };

export const deployment: Deployment = {};

/** The place of a row that belongs to one environment; undefined if there is no row. */
export function placeOf(row: { workspaceUid: string; environment: Environment } | null): Tenant | undefined {
  return row ? { workspace: row.workspaceUid, environment: row.environment } : undefined;
}

/** Who changes something, where, and when. The instant is read once, after the locks are held. */
export type Circumstances<P extends Place = Tenant> = { actor: Actor; place: P; now: Date };

/** The person behind a change that only persons make. */
export function personOf({ actor }: Pick<Circumstances, 'actor'>): string {
  if (actor.kind !== 'person') throw new Error(`a person makes this change, and not: ${actor.kind}`);
  return actor.uid;
}

/** The application behind a change that only applications make. */
export function applicationOf({ actor }: Pick<Circumstances, 'actor'>): string {
  if (actor.kind !== 'application')
    throw new Error(`an application makes this change, and not: ${actor.kind}`);
  return actor.uid;
}

/** What an audit entry says about the change; who made it, when and where is known from the circumstances. */
export type Entry = Pick<
  AuditEvent,
  'op' | 'subject' | 'decision' | 'payloadHash' | 'beforeHash' | 'afterHash' | 'details'
> & {
  /** Where it is recorded, if that is a smaller place than that of the change. */
  place?: Place;
};

/** What a change leaves for its caller, and the audit entries of its consequences, in their order. */
export type Written<Result> = {
  result: Result;
  consequences?: readonly Entry[];
  /** What happens because of the change, with audit entries of its own: they come after the entry of the change. */
  follow?(): Promise<void>;
  /** Where the change is recorded if the place did not exist before it, such as a new workspace. */
  recordedIn?: Place;
};

/**
 * A governed change of state, declared once and carried out by `govern` for every adapter: command line, HTTP, workflow
 * step, console. It holds no transaction, clock or audit call of its own.
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
  /** Finds the place of the change, across all tenants. Undefined if the subject does not exist. */
  find(em: Em, input: Input): Promise<P | undefined>;
  /** The code of the refusal when the subject does not exist. Left out of changes whose place always exists. */
  unknown?: Unknown;
  /** Locks the rows that the decision rests on, always in the same order. */
  lock(em: Em, input: Input, place: P): Promise<Locked>;
  /** Reads what the rule needs, after the lock. */
  facts(em: Em, locked: Locked, input: Input, at: Circumstances<P>): Promise<Facts>;
  /** The rule. A pure function. */
  decide(facts: Facts, input: Input, at: Circumstances<P>): V;
  /** Writes what the verdict allows. Throws a `Refusal` to undo the whole change. */
  write(
    em: Em,
    facts: Facts,
    verdict: Allowed<V>,
    context: Circumstances<P> & { input: Input },
  ): Promise<Written<Result>>;
  /**
   * Writes what holds even though the change is refused, such as an expiry that was noticed, and returns its entries.
   * Undefined where it wrote nothing: such a refusal without an entry of its own may be rolled back.
   */
  writeRefusal?(
    em: Em,
    facts: Facts,
    verdict: Refused<V>,
    context: Circumstances<P> & { input: Input },
  ): Promise<readonly Entry[] | undefined>;
  /** The audit entry of the change, with its result, or of its refusal. Undefined for what the log does not keep. */
  entry(facts: Facts, verdict: V, input: Input, result?: Result): Entry | undefined;
  /** What each refusal means, as a sentence for the caller, where the verdict has no `detail` of its own. */
  refusals: Readonly<
    Record<Exclude<RefusalCode<V>, DetailedCode<V>> | Unknown, Sentence<Input, V>> &
      Partial<Record<DetailedCode<V>, Sentence<Input, V>>>
  >;
};

/** A sentence, or a function that makes one with values of the input or of the verdict in it. */
export type Sentence<Input, V extends Verdict> = string | Sentences<Input, V>['of'];

/** A method, as the other parts of a command: any command can then stand for one of them. */
type Sentences<Input, V extends Verdict> = { of(input: Input, refused: Refused<V>): string };

/** Declares a command; the types of its parts are inferred from one another. */
export function defineCommand<Input>() {
  return <Locked, Facts, V extends Verdict, Result, Unknown extends string = never, P extends Place = Tenant>(
    command: Command<Input, Locked, Facts, V, Result, Unknown, P>,
  ): Command<Input, Locked, Facts, V, Result, Unknown, P> => command;
}

/** Any command: what functions over commands take, so that they name one type in the place of seven. */
export type AnyCommand = Command<unknown, unknown, unknown, Verdict, unknown, string, Place>;

/** A command whose place is one environment of a workspace. */
export type TenantCommand = Command<unknown, unknown, unknown, Verdict, unknown, string, Tenant>;

/** A command whose place is a whole workspace. */
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

/** The end of an allowed change: the verdict with the result, and the instant of the change. */
export type Done<C extends AnyCommand> = Allowed<ReturnType<C['decide']>> & {
  result: Awaited<ReturnType<C['write']>>['result'];
  at: Date;
};

/** The end of a refused change: the verdict with the sentence of its refusal. */
export type Denied<C extends AnyCommand> = (
  | Refused<ReturnType<C['decide']>>
  | { ok: false; code: NonNullable<C['unknown']> }
) & {
  detail: string;
  /** Whether the refusal left something behind, such as an audit entry: then its transaction must be committed. */
  isRecorded: boolean;
};

export type Outcome<C extends AnyCommand> = Done<C> | Denied<C>;
