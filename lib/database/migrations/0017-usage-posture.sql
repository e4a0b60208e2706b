-- The controls of the deployment. Only evaluators write them, each with the hash of its evidence.
create table posture_control (
  key text primary key,
  status text not null check (status in ('pass', 'fail', 'not_evaluated', 'not_applicable')),
  detail_code text not null,
  evidence jsonb,
  evidence_hash text check (evidence_hash ~ '^[0-9a-f]{64}$'),
  evaluated_at timestamptz,
  changed_at timestamptz not null,
  check ((status in ('pass', 'fail')) = (evidence_hash is not null)),
  check (status not in ('pass', 'fail') or evaluated_at is not null)
);
alter table posture_control enable row level security, force row level security;
create policy visible on posture_control using (true) with check (true);
