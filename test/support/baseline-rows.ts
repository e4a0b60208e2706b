/** Rows in the columns of the first release. They show the effect of later migrations on existing data. */
export const baselineRows = `
  insert into workspace (uid, name, service_class, entitlements, created_at) values
    ('wsp_1', 'Ann', 'standard', '{investment,quant}', '2026-01-01T00:00:00Z'),
    ('wsp_2', 'Ben', 'developer', '{}', '2026-01-02T00:00:00Z'),
    ('wsp_3', 'Cid', 'enterprise', '{investment}', '2026-01-03T00:00:00Z');
  insert into person (uid, workspace_uid, name, email, roles, created_at) values
    ('per_1', 'wsp_1', 'Ann', 'ann@example.com', '{owner,approver}', '2026-01-01T00:00:00Z'),
    ('per_2', 'wsp_2', 'Ben', 'ben@example.com', '{}', '2026-01-02T00:00:00Z');
  insert into application (
      uid, workspace_uid, environment, name, scopes, status, owner_uid, created_at) values
    ('app_1', 'wsp_1', 'sandbox', 'research', '{investment:run}', 'active', 'per_1', '2026-01-01T00:00:00Z'),
    ('app_2', 'wsp_1', 'production', 'research', '{investment:read}', 'suspended', 'per_1', '2026-01-01T00:00:00Z'),
    ('app_3', 'wsp_2', 'sandbox', 'old', '{}', 'revoked', 'per_2', '2026-01-02T00:00:00Z');
  insert into credential (
      uid, workspace_uid, environment, application_uid, key_id, secret_hash, issued_by_uid, created_at, revoked_at) values
    ('crd_1', 'wsp_1', 'sandbox', 'app_1', 'key1', 'hash1', 'per_1', '2026-01-01T00:00:00Z', null),
    ('crd_2', 'wsp_1', 'sandbox', 'app_1', 'key2', 'hash2', 'per_1', '2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
  insert into dataset (uid, workspace_uid, kind, name, revision, last_observed_on, created_at) values
    ('dst_1', 'wsp_1', 'prices', 'prices', 2, '2026-01-31', '2026-01-01T00:00:00Z'),
    ('dst_2', 'wsp_1', 'instruments', 'instruments', 1, null, '2026-01-01T00:00:00Z'),
    ('dst_3', null, 'taxonomy', 'taxonomy', 1, null, '2026-01-01T00:00:00Z');
  insert into dataset_entitlement (dataset_id, workspace_uid, granted_at) values
    (1, 'wsp_1', '2026-01-01T00:00:00Z'), (3, 'wsp_1', '2026-01-01T00:00:00Z'), (3, 'wsp_2', '2026-01-01T00:00:00Z');
  insert into dataset_import (uid, dataset_id, revision, fingerprint, file_name, rows_read, rows_inserted, rows_corrected,
      rows_unchanged, rows_rejected, imported_by_uid, imported_at) values
    ('imp_1', 1, 1, 'f1', 'prices.csv', 3, 2, 0, 0, 1, 'per_1', '2026-01-31T00:00:00Z'),
    ('imp_2', 1, 2, 'f2', 'prices.csv.gz', 1, 0, 1, 0, 0, null, '2026-02-01T00:00:00Z');
  insert into instrument (dataset_id, symbol, uid) values (2, 'AAA', 'ins_1'), (2, 'é Z', 'ins_2');
  insert into instrument_version (
      dataset_id, symbol, observed_on, known_at, known_at_basis, revision, name, sector, sub_industry) values
    (2, 'AAA', '2026-01-01', '2026-01-01T00:00:00Z', 'assumed', 1, 'Alpha', null, null),
    (2, 'é Z', '2026-01-01', '2026-01-02T00:00:00Z', 'stated', 1, E'tab\\there', 'Energy', 'Oil');
  insert into price (dataset_id, symbol, frequency, observed_on, known_at, known_at_basis, revision, open, high, low, close,
      adj_close, volume) values
    (1, 'AAA', 'monthly', '2026-01-31', '2026-01-31T23:59:59Z', 'assumed', 1, null, null, null, 0.1, 0.1, 0),
    (1, 'AAA', 'monthly', '2026-01-31', '2026-02-01T00:00:00Z', 'imported', 2, 1, 2, 0.5, 1.25, 1.2, 1e12),
    (1, 'BBB', 'daily', '2026-01-30', '2026-01-30T00:00:00Z', 'stated', 1, null, null, null, 12345678901234567890.123456789, null, null);
  insert into taxonomy_version (dataset_id, version, status, published_at, revision) values
    (3, '2026.1', 'published', '2026-01-01T00:00:00Z', 1), (3, '2026.2', 'draft', null, 1);
  insert into taxonomy_exposure (taxonomy_version_id, theme, symbol, exposure_micro) values (1, 'theme', 'AAA', 1000000), (1, 'theme', 'BBB', 0), (2, 'other', 'AAA', 1);
  insert into model_version (
      key, version, state, description, authored_by, approved_by, approved_at, created_at) values
    ('mod_a', '0.1.0', 'draft', 'draft', 'per_1', null, null, '2026-01-01T00:00:00Z'),
    ('mod_a', '0.2.0', 'approved', 'good', 'per_1', 'per_2', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z');
  insert into model_alias (workspace_uid, key, alias, version, set_by, since) values
    ('wsp_1', 'mod_a', 'active', '0.2.0', 'per_1', '2026-01-02T00:00:00Z'),
    ('wsp_1', 'mod_a', 'active', null, 'per_1', '2026-01-03T00:00:00Z');
  insert into run (uid, workspace_uid, environment, application_uid, kind, state, progress, attempts, model_key, model_version,
      input, input_hash, dataset_revisions, request_id, problem, created_at, started_at, finished_at) values
    ('tfr_1', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'succeeded', 1, 1, 'mod_a', '0.2.0',
     '{"a": 1}', 'h1', '{"dst_1": 2}', 'req_1', null, '2026-02-01T00:00:00Z', '2026-02-01T00:00:01Z', '2026-02-01T00:00:02Z'),
    ('tfr_2', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'failed', 0.5, 2, 'mod_a', '0.2.0',
     '{}', 'h2', '{}', 'req_2', '{"code": "internal_error"}', '2026-02-01T00:00:00Z', '2026-02-01T00:00:01Z', '2026-02-01T00:00:02Z'),
    ('tfr_3', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'cancelled', 0, 0, 'mod_a', '0.2.0',
     '{}', 'h3', '{}', 'req_3', null, '2026-02-01T00:00:00Z', null, '2026-02-01T00:00:02Z'),
    ('tfr_4', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'running', 0.25, 1, 'mod_a', '0.2.0',
     '{}', 'h4', '{}', 'req_4', null, '2026-02-01T00:00:00Z', '2026-02-01T00:00:01Z', null),
    ('tfr_5', 'wsp_2', 'sandbox', 'app_3', 'investment.theme-factors', 'queued', 0, 0, 'mod_a', '0.2.0',
     '{}', 'h5', '{}', 'req_5', null, '2026-02-01T00:00:00Z', null, null);
  insert into run_result (run_uid, workspace_uid, environment, members, result_hash, seal, attachments) values
    ('tfr_1', 'wsp_1', 'sandbox', '{"z": 1,  "a": 0.1}', 'r1', '{"hash": "s1"}', '{}');
  insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at) values
    ('tfr_4', 'wsp_1', 'sandbox', 'investment.theme-factors', 'numerics', '2026-02-01T00:00:00Z'),
    ('tfr_5', 'wsp_2', 'sandbox', 'investment.theme-factors', 'numerics', '2026-02-01T00:00:00Z');
  insert into idempotency_key (
      workspace_uid, environment, application_uid, operation, key, fingerprint, run_uid, created_at) values
    ('wsp_1', 'sandbox', 'app_1', 'investment.theme-watch.factors', 'key', 'fp', 'tfr_1', '2026-02-01T00:00:00Z');
`;
