import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';

/** The model that scores anomalies. */
export class AnomalyModel extends Migration {
  override up(): void {
    this.addSql(
      builtInModel(
        'svc_anomaly_scores_v1',
        '1.0.0',
        'Deterministic scores of anomaly by eight methods, with conformal p-values and controlled false discoveries.',
      ),
    );
  }
}
