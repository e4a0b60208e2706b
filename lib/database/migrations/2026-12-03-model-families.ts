import { Migration } from '@mikro-orm/migrations';

/** Models that predict a target: their families, which version of each serves, and what an approved retraining started. */
export class ModelFamilies extends Migration {
  override up(): void {
    this.addSql(`
      alter table lqm_model drop constraint lqm_model_family_check;
      alter table lqm_model add constraint lqm_model_family_check
        check (family in ('regime_ghmm', 'ridge', 'var', 'gbt', 'ensemble')) not valid;
      alter table lqm_serving drop constraint lqm_serving_purpose_check;
      alter table lqm_serving add constraint lqm_serving_purpose_check
        check (purpose in ('generative', 'prediction')) not valid;
      alter table lqm_serving add column model_uid text references lqm_model;
      alter table lqm_serving add constraint lqm_serving_model_check
        check ((purpose = 'prediction') = (model_uid is not null)) not valid;
      alter table retraining_request add column trained_version_uid text references lqm_version;
      alter table retraining_request add column training_uid text references run;
      alter table retraining_request add constraint retraining_request_training_check
        check ((trained_version_uid is null) = (training_uid is null)
          and (training_uid is null or state = 'approved')) not valid;
    `);
  }
}
