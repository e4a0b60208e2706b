import { Migration } from '@mikro-orm/migrations';
import { builtInModel } from './built-in-model.ts';

/** The model of forecasts. */
export class Forecasts extends Migration {
  override up(): void {
    this.addSql(
      builtInModel(
        'svc_forecast_combination_v1',
        '1.0.0',
        'Forecast of a series as a combination of methods, weighed by their errors at rolling origins of its past.',
      ),
    );
  }
}
