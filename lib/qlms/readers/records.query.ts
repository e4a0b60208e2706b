import { sql, type RawBuilder } from 'kysely';
import { asked } from '#lib/core/asked.ts';
import { formatMajor } from '#lib/core/money.ts';
import type { AskedField, AskedRecords } from '#lib/core/product.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { tenantOf } from '#lib/database/base.ts';
import type { RecordReference, StoredRecord } from '../facts/readers.ts';
import { domainOf, type Domain } from '../language/catalogue.ts';
import { recordNouns } from '../language/record-nouns.ts';
import { ReadingRefused, rememberRecord, type ReadingState } from './reading.ts';

/** The largest number of records of one kind that a question reads. A question that needs more records is refused. */
const RECORDS_MAX = 20_000;

type Row = Record<string, string | null> & { uid: string };

/**
 * Returns the records of a noun in their current state. Only transactions can be read as they were known on an earlier
 * day; a question about other records as of an earlier day is refused.
 */
export async function storedRecords(state: ReadingState, noun: string): Promise<StoredRecord[]> {
  const kind = KINDS[noun] ?? (asked[noun] && declaredKind(asked[noun]));
  if (!kind) return [];
  const isPast = state.asOf !== undefined && state.asOf < state.today;
  if (isPast && kind.isPastKnown !== true) throw new ReadingRefused('not_in_coverage');
  const { workspace, environment } = tenantOf(state.em);
  const { rows } = await sql<Row>`
    select * from (${kind.select(state)}) found
    where workspace_uid = ${workspace} and environment = ${environment}
    order by uid limit ${RECORDS_MAX + 1}
  `.execute(state.em.getKysely());
  if (rows.length > RECORDS_MAX) throw new ReadingRefused('too_many_facts');
  const records = rows.map((row) => {
    const { uid, workspace_uid: _workspace, environment: _environment, ...rest } = row;
    const { record, label } = kind.record(uid, rest);
    rememberRecord(state, label, uid);
    return record;
  });
  state.records.set(noun, canonicalHash(records));
  return records;
}

/**
 * Returns the records whose reference or uid is one of these texts, of the kinds of records to which the domains give
 * access.
 */
export async function referredRecords(
  state: ReadingState,
  texts: readonly string[],
  open: ReadonlySet<Domain>,
): Promise<RecordReference[]> {
  const { workspace, environment } = tenantOf(state.em);
  const nouns = recordNouns.filter((noun) => open.has(domainOf(noun)!));
  if (nouns.length === 0) return [];
  const selects = nouns.map((noun) => {
    const kind = KINDS[noun] ?? declaredKind(asked[noun]!);
    const label = kind.label === undefined ? sql`uid` : sql`coalesce(${sql.ref(kind.label)}, uid)`;
    const named =
      kind.label === undefined ? sql`` : sql` or ${sql.ref(kind.label)} = any(${[...texts]}::text[])`;
    return sql`(select ${noun}::text as noun, uid, ${label} as label
      from (${kind.select(state)}) found
      where workspace_uid = ${workspace} and environment = ${environment}
        and (uid = any(${[...texts]}::text[])${named}) limit ${REFERRED_MAX})`;
  });
  const { rows } = await sql<{ noun: string; uid: string; label: string }>`
    ${sql.join(selects, sql` union all `)}
  `.execute(state.em.getKysely());
  return rows.flatMap(({ noun, uid, label }) =>
    [uid, label]
      .filter((text, index, both) => both.indexOf(text) === index && texts.includes(text))
      .map((text) => ({ text, noun, label })),
  );
}

/** The largest number of records of one kind that the references of a question name. */
const REFERRED_MAX = 20;

type Kind = {
  isPastKnown?: true;
  /** The column of the public reference. Without one, the uid is the reference. */
  label?: string;
  select(state: ReadingState): RawBuilder<unknown>;
  record(uid: string, row: Record<string, string | null>): { label: string; record: StoredRecord };
};

/** Returns minor units as decimal text; null stays null. */
function major(minor: string | null, scale: string | null): string | null {
  return minor === null ? null : formatMajor(BigInt(minor), Number(scale ?? 2));
}

/** Reads a column of the table `t` as text. */
function readColumn({ column, reads }: AskedField): RawBuilder<unknown> {
  const own = sql.ref(`t.${column}`);
  return reads === 'day' ? sql`(${own} at time zone 'utc')::date::text` : sql`${own}::text`;
}

/** Returns the reader of declared records. All names of tables and columns are from the manifests of the products. */
function declaredKind({ table, rows, uid, label, fields, only = {} }: AskedRecords): Kind {
  return {
    label: 'label',
    select(state) {
      const { workspace, environment } = tenantOf(state.em);
      const columns = Object.entries(fields).map(
        ([name, field]) => sql`${readColumn(field)} as ${sql.ref(name)}`,
      );
      const conditions = Object.entries(only).map(
        ([column, value]) => sql` and ${sql.ref(`t.${column}`)}::text = ${value}`,
      );
      const isEntitled = rows === 'entitled';
      const place = isEntitled
        ? sql`${workspace}::text as workspace_uid, ${environment}::text as environment`
        : sql`t.workspace_uid, t.environment`;
      const entitled = isEntitled
        ? sql` join dataset_entitlement e on e.dataset_id = t.id and e.workspace_uid = ${workspace}`
        : sql``;
      return sql`
        select ${sql.ref(`t.${uid}`)}::text as uid, ${place}, ${sql.ref(`t.${label}`)}::text as label,
          ${sql.join(columns)}
        from ${sql.table(table)} t${entitled} where true${sql.join(conditions, sql``)}`;
    },
    record: (own, { label, ...row }) => {
      const shown = label ?? own;
      return { label: shown, record: { label: shown, fields: { ...row, label: shown } } };
    },
  };
}

const KINDS: Readonly<Record<string, Kind>> = {
  obligation: {
    label: 'ref',
    select: () => sql`
      select o.uid, o.workspace_uid, o.environment, o.source_reference as ref, o.governance_state as state,
        o.counterparty_id::text as counterparty, o.content ->> 'obligation_type' as type, o.currency,
        o.content ->> 'amount_scale' as scale, o.content ->> 'original_amount_minor' as original,
        o.content ->> 'outstanding_amount_minor' as outstanding, o.content ->> 'due_date' as due_date
      from obligation o where o.governance_state in ('registered', 'disputed')`,
    record(uid, { scale, ref, ...row }) {
      const outstanding = major(row['outstanding']!, scale!)!;
      const label = ref ?? uid;
      const fields = { ...row, outstanding, original: major(row['original']!, scale!) };
      return { label, record: { label, fields, amount: { value: outstanding, currency: row['currency']! } } };
    },
  },
  delegation: {
    select: () => sql`
      select d.uid, d.workspace_uid, d.environment, d.state, d.terms ->> 'action' as action,
        d.terms ->> 'currency' as currency, d.terms ->> 'risk_tier' as risk_tier, d.terms ->> 'amount_scale' as scale,
        d.terms ->> 'counterparty_id' as counterparty,
        d.terms #>> '{budgets,per_action_minor}' as per_action, d.terms #>> '{budgets,per_day_minor}' as per_day,
        d.terms #>> '{budgets,per_month_minor}' as per_month, d.terms ->> 'valid_until' as valid_until
      from delegation d`,
    record(uid, { scale, ...row }) {
      const amounts = Object.fromEntries(
        ['per_action', 'per_day', 'per_month'].map((name) => [name, major(row[name]!, scale!)]),
      );
      return { label: uid, record: { label: uid, fields: { ...row, ...amounts } } };
    },
  },
  exception: {
    select: () => sql`
      select x.uid, x.workspace_uid, x.environment, x.kind, x.severity, x.state, x.currency,
        x.amount_minor::text as amount, (x.opened_at at time zone 'utc')::date::text as opened_at
      from execution_exception x`,
    record(uid, { amount, ...row }) {
      const value = major(amount!, null);
      return {
        label: uid,
        record: {
          label: uid,
          fields: { ...row, amount: value },
          ...(value === null || row['currency'] === null
            ? {}
            : { amount: { value, currency: row['currency']! } }),
        },
      };
    },
  },
  workflow_run: {
    select: () => sql`
      select w.uid, w.workspace_uid, w.environment, w.workflow_key as key, w.state, w.error_code as error,
        (w.started_at at time zone 'utc')::date::text as started,
        (w.ended_at at time zone 'utc')::date::text as ended
      from workflow_run w`,
    record: (uid, row) => ({ label: uid, record: { label: uid, fields: row } }),
  },
  transaction: {
    isPastKnown: true,
    label: 'ref',
    select: ({ asOf }) => {
      const known = (column: RawBuilder<unknown>): RawBuilder<boolean> =>
        asOf === undefined ? sql`true` : sql`${column} < (${asOf}::date + 1)::timestamp at time zone 'utc'`;
      return sql`
        select t.uid, t.workspace_uid, t.environment, t.source_reference as ref, a.key as account, t.direction,
          t.currency, t.amount_scale::text as scale, t.amount_minor::text as amount, t.description, t.category,
          (coalesce(p.booked_at, t.booked_at) at time zone 'utc')::date::text as booked_at,
          case when t.status = 'posted' or p.transaction_uid is not null then 'posted'
            when r.uid is not null then 'void' else 'pending' end as status
        from ledger_transaction t
        join ledger_account a on a.uid = t.account_uid
        left join ledger_posting p on p.transaction_uid = t.uid and ${known(sql`p.recorded_at`)}
        left join ledger_transaction r on r.reverses_uid = t.uid and ${known(sql`r.recorded_at`)}
        where ${known(sql`t.recorded_at`)}`;
    },
    record(uid, { scale, ref, amount, ...row }) {
      const value = major(amount!, scale!)!;
      const label = ref ?? uid;
      return {
        label,
        record: { label, fields: { ...row, amount: value }, amount: { value, currency: row['currency']! } },
      };
    },
  },
};
