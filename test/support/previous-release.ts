import type { Role } from '#lib/database/roles.ts';

/**
 * The statements with which the API and workers of the previous release write their tables, in the order of a
 * run's life. During an upgrade both releases use one database. Each release replaces this list with its own
 * statements.
 */
export const previousRelease: readonly { role: Role; sql: string }[] = [
  { role: 'api', sql: `select * from authenticate('key1')` },
  {
    role: 'api',
    sql: `insert into run (uid, workspace_uid, environment, application_uid, kind, state, progress, attempts, model_key,
            model_version, input, input_hash, dataset_revisions, request_id, created_at)
          values ('tfr_8', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'queued', 0, 0, 'mod_a',
            '0.2.0', '{}', 'h', '{}', 'req', now()),
                 ('tfr_9', 'wsp_1', 'sandbox', 'app_1', 'investment.theme-factors', 'queued', 0, 0, 'mod_a',
            '0.2.0', '{}', 'h', '{}', 'req', now())`,
  },
  {
    role: 'api',
    sql: `insert into dispatch (run_uid, workspace_uid, environment, kind, queue, created_at)
          values ('tfr_8', 'wsp_1', 'sandbox', 'investment.theme-factors', 'numerics', now()),
                 ('tfr_9', 'wsp_1', 'sandbox', 'investment.theme-factors', 'numerics', now())`,
  },
  {
    role: 'api',
    sql: `insert into idempotency_key
            (workspace_uid, environment, application_uid, operation, key, fingerprint, run_uid, created_at)
          values (app_workspace(), app_environment(), 'app_1', 'op', 'k', 'f', 'tfr_8', now())
          on conflict do nothing returning run_uid`,
  },
  {
    role: 'api',
    sql: `select run_uid, fingerprint from idempotency_key
          where application_uid = 'app_1' and operation = 'op' and key = 'k'`,
  },
  {
    role: 'worker',
    sql: `select run_uid, workspace_uid, environment, kind, queue from dispatch where run_uid = 'tfr_8'`,
  },
  { role: 'worker', sql: `select uid from run where uid = 'tfr_8' for update` },
  {
    role: 'worker',
    sql: `update run set state = 'running', attempts = 1, started_at = now() where uid = 'tfr_8'`,
  },
  { role: 'worker', sql: `update run set progress = 0.5 where uid = 'tfr_8' and state = 'running'` },
  {
    role: 'worker',
    sql: `insert into run_result (run_uid, workspace_uid, environment, members, result_hash, seal, attachments)
          values ('tfr_8', 'wsp_1', 'sandbox', '{}', 'h', '{}', '{}')`,
  },
  {
    role: 'worker',
    sql: `update run set state = 'succeeded', progress = 1, finished_at = now() where uid = 'tfr_8'`,
  },
  { role: 'worker', sql: `delete from dispatch where run_uid = 'tfr_8'` },
  {
    role: 'worker',
    sql: `update run set state = 'failed', problem = '{"code": "internal_error"}', finished_at = now()
          where uid = 'tfr_4'`,
  },
  { role: 'worker', sql: `delete from dispatch where run_uid = 'tfr_4'` },
  { role: 'api', sql: `update run set state = 'cancelled', finished_at = now() where uid = 'tfr_9'` },
  { role: 'api', sql: `delete from dispatch where run_uid = 'tfr_9'` },
  {
    role: 'api',
    sql: `select run_uid, members, result_hash, seal, attachments from run_result where run_uid = 'tfr_8'`,
  },
  { role: 'worker', sql: `delete from idempotency_key where application_uid = 'app_1'` },
];
