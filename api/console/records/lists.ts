import { delegationStates } from '#lib/actions/delegations/states.ts';
import type { Html } from '../html.ts';
import type { Area } from '../page.ts';

/** A list of records: where its rows come from, and what its table shows. */
export type RecordList = {
  /** The last part of the address, such as `delegations`. */
  readonly place: string;
  readonly area: Area;
  readonly title: string;
  /** A sentence that says what the records are. */
  readonly about: string;
  /** The operation that lists the records. */
  readonly list: string;
  /** The operation that reads one record, and the parameter of its path; omitted if there is no page of one record. */
  readonly read?: { readonly operation: string; readonly parameter: string };
  /** Whether another file declares the page of one record. */
  readonly hasOwnPage?: boolean;
  /** The member of a row that the address of its page contains. */
  readonly id: string;
  /** The prefix of the records' uids, by which `Find` leads to them. */
  readonly prefix?: string;
  /** Columns: the heading, and the path of members in a row. */
  readonly columns: readonly (readonly [heading: string, path: string])[];
  /** Filters: the query parameter, and its values. */
  readonly filter?: { readonly name: string; readonly values: readonly string[] };
  /** Draws the card above a record. */
  readonly chart?: (record: Readonly<Record<string, unknown>>) => Html;
  /** The command that creates the first record. */
  readonly firstBy: string;
};

/** The lists of the console. */
export const recordLists: readonly RecordList[] = [
  {
    place: 'portfolios',
    area: 'Portfolios',
    title: 'Portfolios',
    about: 'Portfolios with positions, cash and tax lots that are derived from their events.',
    list: 'investment.portfolios.list',
    read: { operation: 'investment.portfolios.get', parameter: 'portfolio' },
    id: 'portfolio',
    columns: [
      ['Portfolio', 'portfolio'],
      ['Name', 'name'],
      ['Currency', 'base_currency'],
      ['Account', 'account_kind'],
      ['Lot relief', 'lot_relief'],
      ['Benchmark', 'benchmark'],
      ['Opened', 'opened_on'],
    ],
    firstBy: 'npm run assay -- portfolio create --help',
  },
  {
    place: 'models',
    area: 'Models',
    title: 'Models',
    about: 'Models that can be run: analytic, statistical, prediction and generative.',
    list: 'quant.models.list',
    read: { operation: 'quant.models.get', parameter: 'key' },
    id: 'key',
    columns: [
      ['Model', 'key'],
      ['Title', 'title'],
      ['Kind', 'kind'],
      ['Family', 'family'],
      ['Version', 'serving_version'],
      ['State', 'state'],
      ['Bit-reproducible', 'bit_reproducible'],
    ],
    filter: { name: 'kind', values: ['analytic', 'statistical', 'prediction', 'generative'] },
    firstBy: 'npm run assay -- model --help',
  },
  {
    place: 'data',
    area: 'Data',
    title: 'Datasets',
    about: 'Datasets that the workspace may read, with their coverage and age.',
    list: 'data.datasets.list',
    id: 'uid',
    columns: [
      ['Dataset', 'name'],
      ['Kind', 'kind'],
      ['Owner', 'owner.kind'],
      ['Rows', 'rows'],
      ['From', 'coverage.from'],
      ['To', 'coverage.to'],
      ['Age, days', 'freshness.age_days'],
      ['Revision', 'revision'],
      ['Licence', 'licence'],
    ],
    firstBy: 'npm run assay -- import prices prices.csv --workspace wsp_…',
  },
  {
    place: 'delegations',
    area: 'Delegations',
    title: 'Delegations',
    about: 'Limited authority of machine identities, approved by persons.',
    list: 'actions.agentic.delegations.list',
    read: { operation: 'actions.agentic.delegations.get', parameter: 'uid' },
    hasOwnPage: true,
    id: 'uid',
    prefix: 'dlg',
    columns: [
      ['Delegation', 'uid'],
      ['State', 'state'],
      ['Identity', 'identity.name'],
      ['Action', 'action'],
      ['Currency', 'currency'],
      ['Tier', 'risk_tier'],
      ['Mode', 'execution_mode'],
      ['Until, UTC', 'valid_until'],
    ],
    filter: {
      name: 'state',
      values: [...delegationStates],
    },
    firstBy: 'npm run assay -- govern quickstart --workspace wsp_…',
  },
  {
    place: 'obligations',
    area: 'Obligations',
    title: 'Obligations',
    about: 'Registered financial obligations. Registration grants no authority to pay.',
    list: 'actions.credit_corporate.obligations.list',
    read: { operation: 'actions.credit_corporate.obligations.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'obl',
    columns: [
      ['Obligation', 'uid'],
      ['State', 'governance_state'],
      ['Type', 'obligation_type'],
      ['Counterparty', 'counterparty_id'],
      ['Currency', 'currency'],
      ['Outstanding', 'outstanding_amount'],
      ['Due', 'due_date'],
      ['Source', 'source_reference'],
    ],
    firstBy: 'npm run assay -- obligation --help',
  },
  {
    place: 'conflicts',
    area: 'Obligations',
    title: 'Conflicts of obligations',
    about: 'Evidence that contradicts a recorded obligation and waits for a decision.',
    list: 'actions.credit_corporate.obligation_conflicts.list',
    read: { operation: 'actions.credit_corporate.obligation_conflicts.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'obc',
    columns: [
      ['Conflict', 'uid'],
      ['State', 'state'],
      ['Kind', 'kind'],
      ['Obligation', 'obligation_uid'],
      ['Differs', 'differing'],
      ['Offered, UTC', 'offered_at'],
    ],
    firstBy: 'npm run assay -- obligation conflicts --help',
  },
  {
    place: 'batches',
    area: 'Batches',
    title: 'Order batches',
    about: 'Batches of orders with their pre-trade controls, confirmations and custody evidence.',
    list: 'actions.investment_execution.list',
    read: { operation: 'actions.investment_execution.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'bat',
    columns: [
      ['Batch', 'uid'],
      ['Reference', 'batch_reference'],
      ['State', 'state'],
      ['Portfolio', 'portfolio_uid'],
      ['Controls', 'pre_trade.state'],
      ['Custody', 'custody.state'],
      ['Open exceptions', 'exceptions.open'],
    ],
    firstBy: 'npm run assay -- batch import batch.json --workspace wsp_…',
  },
  {
    place: 'exceptions',
    area: 'Exceptions',
    title: 'Execution exceptions',
    about: 'Differences between orders and custody evidence, by age and severity.',
    list: 'actions.execution_exceptions.list',
    read: { operation: 'actions.execution_exceptions.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'exc',
    columns: [
      ['Exception', 'uid'],
      ['Severity', 'severity'],
      ['State', 'state'],
      ['Kind', 'kind'],
      ['Age, business days', 'age_business_days'],
      ['Currency', 'currency'],
      ['Amount, minor units', 'amount_minor'],
      ['Explanation', 'explanation'],
    ],
    filter: { name: 'state', values: ['open', 'acknowledged', 'resolved', 'waived'] },
    firstBy: 'npm run assay -- exception --help',
  },
  {
    place: 'policies',
    area: 'Policies',
    title: 'Policies',
    about: 'Rules for financial actions. Anything that no rule matches is denied.',
    list: 'actions.policies.list',
    id: 'uid',
    columns: [
      ['Policy', 'key'],
      ['Version', 'version'],
      ['Name', 'name'],
      ['Status', 'status'],
      ['Mode', 'mode'],
      ['Activated, UTC', 'activated_at'],
    ],
    firstBy: 'npm run assay -- policy --help',
  },
  {
    place: 'packs',
    area: 'Evidence packs',
    title: 'Evidence packs',
    about: 'Signed checkpoints of the audit log, each linked to the pack before it.',
    list: 'trust.evidence_packs.list',
    read: { operation: 'trust.evidence_packs.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'epk',
    columns: [
      ['Pack', 'uid'],
      ['Number', 'sequence'],
      ['From, UTC', 'period.from'],
      ['To, UTC', 'period.to'],
      ['Entries', 'tree_size'],
      ['Root', 'root_hash'],
    ],
    firstBy: 'npm run assay -- trust --help',
  },
  {
    place: 'events',
    area: 'Events',
    title: 'Events',
    about: 'Changes of the workspace that were recorded in the audit log.',
    list: 'events.list',
    read: { operation: 'events.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'evt',
    columns: [
      ['Event', 'uid'],
      ['Type', 'type'],
      ['Number', 'sequence'],
      ['Occurred, UTC', 'occurred_at'],
      ['Subject', 'subject.uid'],
      ['Actor', 'actor_kind'],
      ['Refusal', 'code'],
    ],
    firstBy: 'npm run assay -- events --help',
  },
  {
    place: 'workflows',
    area: 'Workflows',
    title: 'Workflow runs',
    about: 'Runs of scheduled and started workflows with their steps.',
    list: 'workflows.runs.list',
    read: { operation: 'workflows.runs.get', parameter: 'uid' },
    id: 'uid',
    prefix: 'wfr',
    columns: [
      ['Run', 'uid'],
      ['Workflow', 'workflow.key'],
      ['State', 'state'],
      ['Created, UTC', 'created_at'],
      ['Started, UTC', 'started_at'],
      ['Ended, UTC', 'ended_at'],
      ['Problem', 'error'],
    ],
    firstBy: 'npm run assay -- workflow --help',
  },
];
