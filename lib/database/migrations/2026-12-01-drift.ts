import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';
import { tenantPolicy } from './tenant-policy.ts';

/** The statistics of drift assessments, and the requests to train anew that they make. */
export class Drift extends Migration {
  override up(): void {
    this.addSql(`
      create table drift_metric (
        assessment_uid text not null references run,
        position integer not null,
        workspace_uid text not null references workspace,
        environment text not null,
        model_uid text not null references lqm_model,
        dataset_id integer not null references dataset,
        column_name text,
        name text not null,
        value float8,
        p_value float8,
        adjusted_p float8,
        threshold float8,
        state text not null check (state in ('drift', 'no_drift', 'evidence', 'unavailable')),
        n_reference integer not null,
        n_current integer not null,
        seal_hash text not null,
        recorded_at timestamptz not null,
        primary key (assessment_uid, position),
        check ((value is null) = (state = 'unavailable'))
      );
      create index on drift_metric (workspace_uid, environment, model_uid, name, recorded_at desc);
      create table retraining_request (
        uid text primary key,
        workspace_uid text not null references workspace,
        environment text not null,
        model_uid text not null references lqm_model,
        version_uid text not null references lqm_version,
        checkpoint_hash text not null,
        dataset_id integer not null references dataset,
        dataset_revision integer not null,
        assessment_uid text not null references run,
        seal_hash text not null,
        author_uid text not null references person,
        requester_uid text not null references person,
        requested_at timestamptz not null,
        state text not null check (state in ('pending_review', 'approved', 'rejected')),
        reviewed_by_uid text references person,
        reviewed_at timestamptz,
        reason text,
        check ((state = 'pending_review') = (reviewed_by_uid is null)),
        check ((reviewed_by_uid is null) = (reviewed_at is null) and (reviewed_by_uid is null) = (reason is null)),
        check (reviewed_by_uid is distinct from author_uid or reviewed_by_uid is null),
        check (reviewed_by_uid is distinct from requester_uid or reviewed_by_uid is null)
      );
      create unique index retraining_request_open on retraining_request (model_uid, checkpoint_hash, dataset_id)
        where state = 'pending_review';
      create index on retraining_request (workspace_uid, environment, uid desc);
    `);
    for (const table of ['drift_metric', 'retraining_request']) this.addSql(tenantPolicy(table));
    this.addSql(
      builtInModel(
        'svc_drift_assessment_v1',
        '1.0.0',
        'Compares a dataset with the training data of an evaluated checkpoint, with false discoveries held.',
      ),
    );
  }
}
