-- Models that come with Assay: registered, approved by others than their authors, and active for every workspace.

with built_in (place, key, description) as (
  values
    (1, 'svc_theme_factor_ridge_v1',
      'Cross-sectional ridge of monthly returns on theme exposures with a market intercept.'),
    (2, 'svc_collateral_margin_v1',
      'Credit support amount and margin call in two legs under the recorded terms of a netting set.'),
    (3, 'svc_valuation_adjustments_v1',
      'CVA, DVA and FVA of a supplied exposure profile, unilateral and to the first default.'),
    (4, 'svc_research_snapshot_v1',
      'Feature matrix as it was known at the end of a day, under a root over the hashes of its columns.'),
    (5, 'svc_feature_experiment_v1',
      'Information coefficients, quantile spreads, turnover and correlations of features on sealed snapshots.'),
    (6, 'svc_anomaly_scores_v1',
      'Deterministic scores of anomaly by eight methods, with conformal p-values and controlled false discoveries.'),
    (7, 'svc_model_training_v1',
      'Trains a numeric model on a governed dataset, to a checkpoint.'),
    (8, 'svc_model_evaluation_v1',
      'Evaluates a checkpoint on months that it was not fitted on.'),
    (9, 'svc_scenarios_v1',
      'Seeded scenarios of an approved model, by regime and under stress.'),
    (10, 'svc_forecast_combination_v1',
      'Forecast of a series as a combination of methods, weighed by their errors at rolling origins of its past.'),
    (11, 'svc_paths_v1',
      'Seeded paths of several months of an approved model, with its changes of regime.'),
    (12, 'svc_drift_assessment_v1',
      'Compares a dataset with the training data of an evaluated checkpoint, with false discoveries held.'),
    (13, 'svc_evidence_pack_v1',
      'Tests the controls of a period on the audit log and seals what it finds.')
), registered as (
  insert into model_version (key, version, state, description, authored_by, approved_by, approved_at, created_at)
  select key, '1.0.0', 'approved', description, 'assay:quantitative-research', 'assay:model-risk', now(), now()
  from built_in order by place
)
insert into model_alias (workspace_uid, key, alias, version, set_by, since)
select null, key, 'active', '1.0.0', 'assay:model-risk', now() from built_in order by place;
