-- Listings of the marketplace. A listing names one version of a workflow, dataset, model, connector or policy template by
-- its digest. It grants nothing.
create table market_listing (
  uid text collate "C" primary key,
  -- The workspace that offers the item. Its name is copied, because readers are other workspaces.
  publisher_uid text not null references workspace,
  publisher_name text not null,
  is_publisher_verified boolean not null default false,
  -- The environment in which readers see the listing.
  shown_in text not null check (shown_in in ('sandbox', 'production')),
  kind text not null check (kind in ('workflow', 'dataset', 'model', 'connector', 'policy_template')),
  key text not null,
  version text not null,
  subject text not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$'),
  title text not null,
  description text not null,
  -- The words of title, key and description, in lower case. A search compares their beginnings.
  words text[] not null,
  price jsonb,
  offer jsonb,
  required_scopes text[] not null,
  required_entitlements text[] not null,
  certification text not null check (certification in ('none', 'self_declared', 'evaluated')),
  evidence_hash text check (evidence_hash ~ '^[0-9a-f]{64}$'),
  -- The sealed record behind the certification `evaluated`.
  evidence_uid text,
  certification_revoked_at timestamptz,
  state text not null check (state in ('proposed', 'published', 'superseded', 'withdrawn')),
  proposed_by_uid text not null references person,
  approved_by_uid text references person,
  created_at timestamptz not null,
  published_at timestamptz,
  ended_at timestamptz,
  unique (publisher_uid, shown_in, key, version),
  check (approved_by_uid is distinct from proposed_by_uid),
  check (state not in ('published', 'superseded') or (approved_by_uid is not null and published_at is not null)),
  check ((state in ('superseded', 'withdrawn')) = (ended_at is not null)),
  check ((certification = 'none') = (evidence_hash is null)),
  check ((certification = 'evaluated') = (evidence_uid is not null))
);
create index on market_listing (shown_in, state, uid desc);
alter table market_listing enable row level security, force row level security;
-- Every workspace reads the published listings of its environment.
create policy visible on market_listing
  using ((select app_is_operator() or app_is_worker())
    or (state in ('published', 'superseded') and shown_in = (select app_environment())))
  with check ((select app_is_operator() or app_is_worker()));
