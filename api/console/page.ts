import type { Ceremony, Unconfirmed } from '#lib/access/console/govern-in-session.ts';
import type { AcceptedProofs, DecisionProof } from '#lib/access/console/proof.ts';
import type { Duty } from '#lib/access/console/duty.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import type { Admitted } from '#lib/pipeline/admission.query.ts';
import type { Fault } from '#lib/core/problem.ts';
import type { Querying } from '../govern.ts';
import type { Html } from './html.ts';

/** The entries of the navigation. Each page belongs to one of them. */
export type Area =
  | 'Overview'
  | 'Account'
  | 'Runs'
  | 'New run'
  | 'Compare'
  | 'Portfolios'
  | 'Models'
  | 'Question models'
  | 'Data'
  | 'Series'
  | 'Features'
  | 'Projects'
  | 'Netting sets'
  | 'Ledger'
  | 'Approvals'
  | 'Delegations'
  | 'Authorities'
  | 'Approval graphs'
  | 'Obligations'
  | 'Batches'
  | 'Custody'
  | 'Exceptions'
  | 'Policies'
  | 'Audit log'
  | 'Evidence packs'
  | 'Events'
  | 'Lineage'
  | 'Data rights'
  | 'Agent calls'
  | 'Posture'
  | 'Jobs'
  | 'Workflows'
  | 'Library'
  | 'Admissions'
  | 'Proof of value'
  | 'Usage'
  | 'Benchmarks'
  | 'Marketplace';

/** A step of the path to a page. Every step except the page itself has an address. */
export type Crumb = readonly [label: string, href?: string];

/** The request for a page. */
export type PageCall = {
  readonly session: ConsoleSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly now: Date;
  /**
   * Reads an operation of the API by its key or path, with path and query parameters in one object. Throws the problem
   * that the API would return.
   */
  read<Body>(operation: string, given?: Readonly<Record<string, unknown>>): Promise<Body>;
  /** Runs a query in the workspace and environment of the session. */
  readonly ask: Querying;
  /** The token that the forms of this page contain. */
  readonly token: string;
  /** Whether the roles of the person allow changes of this kind. */
  may(duty: Duty): boolean;
  /** Whether the roles of the person allow the decision of the page with this name. */
  mayDecide(name: string): boolean;
  /** Returns the proofs of the person that a decision accepts. */
  proofs(): Promise<AcceptedProofs>;
  /** The refusal of the decision that the person has just sent. */
  readonly refused?: Refused;
  /** The content of a form that the person has just sent and that decides nothing. */
  readonly shown?: Shown;
};

/**
 * The reason why a decision was refused. The page shows this reason. `faults` are those of the fields of its form, by
 * JSON pointer, and `entered` has the values that the form shows again.
 */
export type Refused = {
  readonly code: string;
  readonly detail: string;
  readonly more?: Html;
  readonly faults?: readonly Fault[];
  readonly entered?: Readonly<Record<string, string>>;
};

/** The content of a form that decides nothing: `entered` has the values of the form, and `preview` goes above it. */
export type Shown = { readonly preview: Html; readonly entered: Readonly<Record<string, string>> };

/** Whether a run was dispatched again, already has a live queue job, or could not be because the queue is unreachable. */
export type Redispatched = 'dispatched' | 'alive' | 'unreachable';

/** The request for a decision: the fields of its form, and the function that carries out a command. */
export type DecisionCall = PageCall & {
  readonly form: Readonly<Record<string, string>>;
  /** The session in which the person decides. */
  readonly ceremony: Ceremony;
  readonly requestId: string;
  /** The key that encrypts the secrets of one-time codes; undefined if this console cannot verify codes. */
  readonly codeKey: Buffer | undefined;
  /** Dispatches runs to their queues, after the decision that admitted them. */
  dispatch(admitted: readonly Admitted[]): Promise<void>;
  /** Dispatches a run to its queue again, unless the run has a live queue job. */
  dispatchAgain(run: Admitted): Promise<Redispatched>;
  decide<C extends TenantCommand>(
    command: C,
    inputOf: (proof: DecisionProof) => InputOf<C>,
  ): Promise<Outcome<C> | Unconfirmed>;
};

/**
 * A decision that a person makes on a page. Its form is sent to the address of the page, with the name of the decision
 * at the end. `act` returns the address to which the browser goes, the refusal, or the content to show if
 * the form decides nothing.
 */
export type Decision = {
  readonly name: string;
  /** The kind of change. The roles of the person must allow it. */
  readonly duty: Duty;
  act(call: DecisionCall): Promise<{ readonly location: string } | Refused | Shown>;
};

/** The content of a page. */
export type PageContent = {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  readonly body: Html;
  /** How a browser without scripts follows a resource that still changes. Scripts follow it by the stream of events. */
  readonly refresh?: Refresh;
};

/**
 * The address that a browser without scripts loads after some seconds. It is the address of the page itself, because the
 * address of a refused decision cannot be loaded.
 */
export type Refresh = { readonly place: string; readonly afterS: number };

/** The address of another page to which the browser is redirected. */
export type Redirect = { readonly location: string };

/** A page of the console. A path segment that begins with a colon is a parameter. */
export type Page = {
  readonly path: string;
  readonly area: Area;
  /**
   * Reads the document that the page shows, as JSON. The document has the address of the page with `/json` at the end.
   */
  document?(call: PageCall): Promise<unknown>;
  /** The kind of change that the page is for. Only persons whose roles allow it see the page. Omitted if all may see it. */
  readonly duty?: Duty;
  /** The decisions that a person can make on the page. */
  readonly decisions?: readonly Decision[];
  render(call: PageCall): Promise<PageContent | Redirect>;
};

/** Declares a page. */
export function definePage(page: Page): Page {
  return page;
}
