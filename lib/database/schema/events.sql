-- Events, the webhooks that receive them, and the attempts to deliver each.

create table event (
  workspace_uid text not null references workspace,
  environment text not null,
  sequence bigint not null check (sequence > 0),
  uid text not null unique,
  type text not null,
  subject_uid text not null,
  occurred_at timestamptz not null,
  published_at timestamptz not null,
  body text not null,
  primary key (workspace_uid, environment, sequence)
);
create index on event (workspace_uid, environment, type, sequence);
create index on event (workspace_uid, environment, subject_uid, sequence);
create index on event (published_at);
alter table event enable row level security, force row level security;
create policy visible on event
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

-- The place in the audit log up to which entries have become events.
create table event_position (
  workspace_uid text not null references workspace,
  environment text not null,
  published_to bigint not null,
  primary key (workspace_uid, environment)
);
alter table event_position enable row level security, force row level security;
create policy visible on event_position
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table webhook (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null check (environment in ('sandbox', 'production')),
  url text not null,
  description text,
  types text[] not null,
  format text not null check (format in ('json', 'cloudevents')),
  state text not null check (state in ('active', 'disabled')),
  cause text check (cause in ('operator', 'gone', 'failing')),
  secret text not null,
  previous_secret text,
  previous_ends_at timestamptz,
  failing_since timestamptz,
  created_by text not null references person,
  created_at timestamptz not null,
  disabled_at timestamptz,
  check ((state = 'disabled') = (cause is not null) and (cause is null) = (disabled_at is null)),
  check ((previous_secret is null) = (previous_ends_at is null))
);
create index on webhook (workspace_uid, environment, uid desc);
alter table webhook enable row level security, force row level security;
create policy visible on webhook
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table webhook_delivery (
  uid text primary key,
  workspace_uid text not null references workspace,
  environment text not null,
  webhook_uid text not null references webhook,
  event_uid text not null,
  event_type text not null,
  state text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (webhook_uid, event_uid),
  check ((state = 'pending') = (ended_at is null))
);
create index webhook_delivery_due on webhook_delivery (webhook_uid, due_at) where state = 'pending';
create index on webhook_delivery (workspace_uid, environment, webhook_uid, uid desc);
create index on webhook_delivery (created_at);
alter table webhook_delivery enable row level security, force row level security;
create policy visible on webhook_delivery
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));

create table webhook_attempt (
  delivery_uid text not null references webhook_delivery on delete cascade,
  number integer not null,
  workspace_uid text not null references workspace,
  environment text not null,
  at timestamptz not null,
  duration_ms integer not null,
  status integer,
  error text,
  excerpt text,
  primary key (delivery_uid, number)
);
alter table webhook_attempt enable row level security, force row level security;
create policy visible on webhook_attempt
  using ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()))
  with check ((workspace_uid = (select app_workspace()) and environment = (select app_environment()))
    or (select app_is_operator() or app_is_worker()));
